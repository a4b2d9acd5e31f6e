"""The demo knowledge bases, loaded once as the laptop loads them, and small ones beside them."""

import sys
from collections.abc import Callable, Iterator

import boto3
import pytest
from moto import mock_aws

from clew.graph.namespace import Namespace
from clew.knowledge.documents import read_documents
from clew.knowledge.profile_file import read_profile
from clew.retrieval.pool import AgentPool
from tests.integration.graph.engines import Engine, started
from tests.integration.graph.library import Library
from tests.integration.retrieval.demo import ROOT, Demo, RememberingEmbedder
from tests.integration.table import profiles_table


@pytest.fixture(scope="package", params=["arcadedb", "neo4j"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with started(request.param, tmp_path_factory.mktemp("graph")) as running:
        yield running


@pytest.fixture(scope="package")
def library(engine: Engine) -> Iterator[Library]:
    with mock_aws():
        yield Library(engine, profiles_table(boto3.Session()))


@pytest.fixture(scope="session")
def embedder() -> RememberingEmbedder:
    """One for all engines: they are given the same texts."""
    return RememberingEmbedder()


@pytest.fixture(scope="package")
def demo(engine: Engine, library: Library, embedder: RememberingEmbedder) -> Demo:
    tenant = engine.namespace().tenant_id
    for profile in sorted(ROOT.glob("demo/*/profile.toml")):
        summary = read_profile(profile)
        documents = read_documents([profile.parent])
        library.load(Namespace(tenant, summary.prefix), documents, embedder, summary=summary, embedder_name="e5")
    profiles = library.registry(Namespace(tenant, "any")).list()
    return Demo(AgentPool(lambda prefix: library.reader(Namespace(tenant, prefix)), embedder), embedder, profiles)


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Show a figure in the run's output, also where the test passes."""

    def show(text: str) -> None:
        with capsys.disabled():
            sys.stdout.write(f"\n{text}\n")

    return show
