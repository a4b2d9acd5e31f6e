"""How long the clients of AWS wait, how often they try, and how many connections they keep."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from botocore.config import Config

CONNECTIONS = 64
"""Kept open to a service at a time; of botocore's ten the others would be made anew for each call."""


def client_config(*, connect_timeout: float, read_timeout: float, attempts: int) -> "Config":
    """Times in seconds, of each of the attempts."""
    from botocore.config import Config

    return Config(
        connect_timeout=connect_timeout,
        read_timeout=read_timeout,
        retries={"mode": "standard", "total_max_attempts": attempts},
        max_pool_connections=CONNECTIONS,
    )
