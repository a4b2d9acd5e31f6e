"""A request as it is sent, byte by byte."""

from dataclasses import dataclass, field
from typing import Final, Literal

ROOT: Final = "/api/v1"
JSON: Final = (("content-type", b"application/json"),)

Kind = Literal["fits", "does not fit", "beyond the schema"]
Headers = tuple[tuple[str, bytes], ...]


@dataclass(frozen=True)
class Request:
    """``target`` is path and query, as sent; ``what`` names the trouble that it is meant to make.

    The body of one ``in_pieces`` comes without its length.
    """

    kind: Kind
    method: str
    target: bytes
    headers: Headers = ()
    body: bytes = field(default=b"", repr=False)
    what: str = ""
    in_pieces: bool = False

    @property
    def path(self) -> str:
        return self.target.partition(b"?")[0].decode("latin-1")

    @property
    def asks(self) -> bool:
        """Whether it is one that a message is answered by."""
        return self.method == "POST" and self.path in (f"{ROOT}/chat", f"{ROOT}/chat/stream")

    @property
    def clears(self) -> bool:
        return self.method == "POST" and self.path == f"{ROOT}/clear"

    def header(self, name: str) -> str:
        """The first header of that name, as the service reads it; empty where there is none."""
        return next((value.decode("latin-1") for key, value in self.headers if key.lower() == name), "")

    def __str__(self) -> str:
        """Enough to send it again, in one line; of a long body its beginning and its length."""
        headers = " ".join(f"{name}: {value[:200]!r}" for name, value in self.headers)
        body = repr(self.body) if len(self.body) <= 600 else f"{self.body[:600]!r}… ({len(self.body):,} bytes)"
        return (
            f"[{self.kind}{': ' if self.what else ''}{self.what}] {self.method} {self.target[:300]!r} {headers} {body}"
        )
