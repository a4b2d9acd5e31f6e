"""``make openapi``: write the document to where the api function reads it from."""

import json
import sys

from clew.edge.openapi import PATH
from clew.openapi.document import document


def written() -> str:
    """The document as text, in one form only, so that a change of it is a change of lines."""
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    PATH.write_text(written(), encoding="utf-8")
    sys.stdout.write(f"{PATH}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
