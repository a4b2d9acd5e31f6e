"""Where a server of the OpenAI protocol is, how it is connected to, and which model it has."""

import logging
import ssl
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from clew.errors import ConfigurationError

if TYPE_CHECKING:
    import httpx

CONNECT_TIMEOUT = 5.0

READ_TIMEOUT = 120.0
"""Between two reads. Twice Bedrock's: a server on a laptop may have to load the model from disk first."""

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")

logger = logging.getLogger(__name__)


class OpenAIServer:
    """A server at ``base_url``, which as a rule ends in ``/v1``; time-outs are in seconds, the second between reads.

    ``model`` is empty until it is known where it was not given.
    """

    def __init__(self, base_url: str, model: str, api_key: str, connect_timeout: float, read_timeout: float) -> None:
        url = urlsplit(base_url)
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ConfigurationError("Setting CLEW_OPENAI_BASE_URL: give a URL such as http://127.0.0.1:11434/v1.")
        self.model = model
        self._base_url = base_url.rstrip("/")
        self._secure = url.scheme == "https"
        self._local = url.hostname in LOCAL_HOSTS
        self._api_key = api_key
        self._connect_timeout = connect_timeout
        self._read_timeout = read_timeout
        self._tls: ssl.SSLContext | None = None

    @property
    def name(self) -> str:
        """The model's name; ``openai`` as long as it is not known."""
        return self.model or "openai"

    def client(self) -> "httpx.Client":
        """A client for one request; the first takes half a second, for httpx and a TLS context."""
        import httpx

        return httpx.Client(**self._connection())

    def async_client(self) -> "httpx.AsyncClient":
        """The same for an event loop, to which httpx ties a client."""
        import httpx

        return httpx.AsyncClient(**self._connection())

    def take_first_of(self, listed: "httpx.Response") -> None:
        """Use the first model of the answer to ``GET models``; ConfigurationError where it names none."""
        if listed.status_code == 429 or listed.status_code >= 500:
            listed.raise_for_status()
        try:
            model = _ModelList.model_validate_json(listed.content).first() if listed.is_success else ""
        except ValidationError:
            model = ""
        if not model:
            raise ConfigurationError("Set CLEW_OPENAI_MODEL: the model server does not say which models it has.")
        self.model = model

    def _connection(self) -> dict[str, Any]:
        import httpx

        if self._secure and self._tls is None:
            self._tls = httpx.create_ssl_context()
        return {
            "base_url": self._base_url,
            "headers": {"Authorization": f"Bearer {self._api_key}"} if self._api_key else {},
            "timeout": httpx.Timeout(self._read_timeout, connect=self._connect_timeout),
            # Without TLS no certificates need loading, which takes longer than the request.
            "verify": self._tls or False,
            # A proxy from the environment would not find this machine's own servers.
            "trust_env": not self._local,
        }


def refuse_error(response: "httpx.Response") -> None:
    """Raise httpx's error for a response, read to its end, that is none of success."""
    if not response.is_success:
        # The server's own words may repeat the prompt, so they go no further than this.
        logger.debug("model server answered %s: %.500r", response.status_code, response.content)
        response.raise_for_status()


class _ModelEntry(BaseModel):
    id: str


class _ModelList(BaseModel):
    """The answer of ``GET models``; Ollama without a model sends ``null`` for the list."""

    data: list[_ModelEntry] | None = None

    def first(self) -> str:
        """The first model's name, empty where there is none."""
        return self.data[0].id if self.data else ""
