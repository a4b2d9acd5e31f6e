"""The gateway's server: uvicorn on a thread of the stack's own process."""

import logging
import socket
import threading
import time
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from clew.errors import ConfigurationError


class GatewayServer:
    """Serves ``app`` on a socket that was bound before, until ``stop()``; what goes wrong is in ``log``."""

    def __init__(self, app: ASGIApp, bound: socket.socket, log: Path) -> None:
        self._log = logging.FileHandler(log, delay=True)
        self._log.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        # Running streams get a moment to end; log_config=None, since the terminal belongs to the command.
        config = uvicorn.Config(
            app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=3
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([bound],), name="gateway", daemon=True)

    def start(self) -> None:
        """Return once it accepts requests."""
        logger = logging.getLogger("uvicorn")
        logger.addHandler(self._log)
        logger.propagate = False
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise ConfigurationError("The local gateway did not start.")
            time.sleep(0.01)

    def alive(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        """Close the socket and return once running requests have ended or were cut off."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(10)
        logging.getLogger("uvicorn").removeHandler(self._log)
        self._log.close()
