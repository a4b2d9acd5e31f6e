"""``clew graph``: a picture of what surrounds an entity."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.loading import load_environment
from clew.cli.options import DEFAULT_DATA_DIR, DataDir, failing_plainly
from clew.errors import InvalidRequestError

if TYPE_CHECKING:
    from clew.drawing.lookup import Candidate
    from clew.drawing.neighbourhood import Neighbourhood

MAX_SHOWN = 12  # characters without a font that a warning lists


@failing_plainly
def graph(
    entity: Annotated[str, typer.Argument(help="A name of the entity, in English or Chinese.")],
    kb: Annotated[str, typer.Option("--kb", help="Prefix of the knowledge base.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="File ending in .svg or .png; default: NAME.svg in the current folder."),
    ] = None,
    hops: Annotated[int, typer.Option("--hops", min=1, max=2, help="How far from the entity to look.")] = 1,
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=200, help="How many entities around it, the strongest first.")
    ] = 30,
    relations: Annotated[
        bool, typer.Option("--relations", help="Write the types of relations on their lines.")
    ] = False,
    which: Annotated[
        int, typer.Option("--which", min=0, help="Where several entities have the name: the number of one.")
    ] = 0,
    tenant: Annotated[str, typer.Option("--tenant", help="Whose knowledge base it is.")] = "default",
    data_dir: DataDir = DEFAULT_DATA_DIR,
) -> None:
    """Draw an entity and what it is related to, as an SVG or PNG file.

    Names are in the language in which you ask, with the other language below. A name that nothing has is
    answered with the names that come near it.

    Example: clew graph "Christopher Nolan" --kb movie --out nolan.png
    """
    from clew import wiring
    from clew.drawing.lookup import find_entities
    from clew.drawing.neighbourhood import read_neighbourhood
    from clew.drawing.picture import draw
    from clew.drawing.picture_file import default_target, format_of, write_picture
    from clew.identifiers import check_kb_prefix, check_outside_id
    from clew.settings import IngestSettings

    check_kb_prefix(kb)
    check_outside_id(tenant, "tenant")
    if out:
        format_of(out)
    with load_environment(data_dir):
        settings = IngestSettings.load()
        known = wiring.stores.knowledge_bases(settings, tenant).get(kb).entity_names
        reader = wiring.graph.graph_reader(settings, tenant, kb)
        found = _chosen(find_entities(reader, kb, entity, known), entity, which)
        target = out or default_target(found.spelling)
        form = format_of(target)
        shown = read_neighbourhood(reader, found.entity, 2 if hops == 2 else 1, limit)
    picture = draw(shown, found.spelling, kb, form, relations=relations)
    write_picture(target, picture.content)
    if picture.undrawable:
        typer.echo(f"clew: {_without_font(picture.undrawable)}", err=True)
    typer.echo(f"{target}: {_told(shown)}")


def _chosen(candidates: "list[Candidate]", name: str, which: int) -> "Candidate":
    """The candidate of that number, counted from 1; without a number the first, and a word about the others."""
    if which > len(candidates):
        problem = f"{name!r} names {len(candidates)}; --which is a number up to that."
        raise InvalidRequestError(problem, {"which": problem})
    if len(candidates) > 1 and not which:
        typer.echo(f"{name!r} names {len(candidates)} entities. Drawing the first; --which N takes another:", err=True)
        for number, each in enumerate(candidates, start=1):
            typer.echo(f"  {number}  {each.display_name}, in: {'; '.join(each.titles)}", err=True)
    return candidates[max(which, 1) - 1]


def _told(shown: "Neighbourhood") -> str:
    nodes, edges = len(shown.nodes), len(shown.edges)
    counts = f"{nodes} {'entity' if nodes == 1 else 'entities'}, {edges} {'relation' if edges == 1 else 'relations'}."
    if shown.reachable == shown.neighbours:
        return counts
    return f"{counts} These are the {shown.neighbours} strongest of {shown.reachable} around it; --limit takes more."


def _without_font(characters: str) -> str:
    listed = characters[:MAX_SHOWN] + ("…" if len(characters) > MAX_SHOWN else "")
    return (
        f"No font on this machine has {listed}, so they are boxes in the picture. Install one, such as Noto Sans CJK "
        "(apt install fonts-noto-cjk), or write an .svg file, which needs none here."
    )
