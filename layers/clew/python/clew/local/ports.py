"""Ports on the loopback interface."""

import socket

from clew.errors import ConfigurationError

LOOPBACK = "127.0.0.1"


class PortInUseError(ConfigurationError):
    """Something listens on the wanted port already."""

    def __init__(self, port: int) -> None:
        self.port = port
        super().__init__(
            f"Port {port} is in use. Stop what listens there, or choose another: clew up --port {port + 1} "
            f"(or CLEW_PORT={port + 1} make run)."
        )


def free_port() -> int:
    """A port that is free now; whoever binds it next should do so at once."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def reserve(port: int) -> socket.socket:
    """A socket bound to ``port`` but not listening yet: nobody else takes it while the stack starts."""
    with socket.socket() as probe:
        probe.settimeout(1)
        # Some systems let a second socket bind beside one on all interfaces: ask, before trusting bind.
        if probe.connect_ex((LOOPBACK, port)) == 0:
            raise PortInUseError(port)
    # With the protocol named, asyncio sets TCP_NODELAY on what is accepted here: else small events wait 40 ms.
    reserved = socket.socket(proto=socket.IPPROTO_TCP)
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        reserved.bind((LOOPBACK, port))
    except PermissionError as error:
        reserved.close()
        raise ConfigurationError(f"Port {port} is not allowed for this user. Choose one above 1023.") from error
    except OSError as error:
        reserved.close()
        raise PortInUseError(port) from error
    return reserved
