"""The data of server-sent events, from the bytes of a stream as they arrive."""


class EventData:
    """Takes a stream in pieces, however it is cut, and gives the data of each event that has come to its end.

    Names, ids and comments are passed over; nothing else of such a stream is used by the servers that are read here.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._lines: list[bytes] = []

    def take(self, piece: bytes) -> list[str]:
        """The events that end in ``piece``; UnicodeDecodeError where their data is not UTF-8."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        found: list[str] = []
        for ended in lines:
            line = ended.removesuffix(b"\r")
            if line.startswith(b"data:"):
                self._lines.append(line[5:].removeprefix(b" "))
            elif not line and self._lines:
                found.append(b"\n".join(self._lines).decode())
                self._lines = []
        return found
