"""The clients of Bedrock: where they go, with whose credentials, and how long they wait."""

from typing import TYPE_CHECKING, Any

from clew.errors import ConfigurationError

if TYPE_CHECKING:
    from mypy_boto3_bedrock_agent_runtime import AgentsforBedrockRuntimeClient
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient

CONNECT_TIMEOUT = 5.0
READ_TIMEOUT = 60.0

ATTEMPTS = 2
"""The first and one retry, by botocore and before any response only: the person who asked is waiting."""

POOL_CONNECTIONS = 50
"""One for each generation at a time; botocore's 10 would throw connections away with a warning."""


def bedrock_client(
    *,
    region: str = "",
    profile: str = "",
    endpoint_url: str = "",
    connect_timeout: float = CONNECT_TIMEOUT,
    read_timeout: float = READ_TIMEOUT,
    attempts: int = ATTEMPTS,
) -> "BedrockRuntimeClient":
    """A client of ``bedrock-runtime``; time-outs are in seconds, the second one between two reads.

    With ``profile``, credentials and region come from that profile, and the client goes to the region's
    real endpoint even where ``AWS_ENDPOINT_URL`` points everything else at an emulator.
    """
    client: BedrockRuntimeClient = _client(
        "bedrock-runtime", region, profile, endpoint_url, connect_timeout, read_timeout, attempts
    )
    return client


def bedrock_agent_client(
    *,
    region: str = "",
    profile: str = "",
    endpoint_url: str = "",
    connect_timeout: float = CONNECT_TIMEOUT,
    read_timeout: float = READ_TIMEOUT,
    attempts: int = ATTEMPTS,
) -> "AgentsforBedrockRuntimeClient":
    """A client of ``bedrock-agent-runtime``, which has Rerank; made as ``bedrock_client`` makes its own."""
    client: AgentsforBedrockRuntimeClient = _client(
        "bedrock-agent-runtime", region, profile, endpoint_url, connect_timeout, read_timeout, attempts
    )
    return client


def _client(
    service: str,
    region: str,
    profile: str,
    endpoint_url: str,
    connect_timeout: float,
    read_timeout: float,
    attempts: int,
) -> Any:
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, NoRegionError, ProfileNotFound
    from botocore.session import Session

    # The environment's endpoint and region belong to the emulator; a profile is there to reach AWS.
    options: dict[str, Any] = {"ignore_configured_endpoint_urls": True} if profile else {}
    config = Config(
        connect_timeout=connect_timeout,
        read_timeout=read_timeout,
        retries={"mode": "standard", "total_max_attempts": attempts},
        max_pool_connections=POOL_CONNECTIONS,
        **options,
    )
    try:
        # A session of its own: boto3's default session is shared, and not safe to use from several threads.
        session = Session(profile=profile or None)
        if profile:
            region = region or session.get_scoped_config().get("region", "")
        made: Any = boto3.session.Session(botocore_session=session, region_name=region or None)
        return made.client(service, endpoint_url=endpoint_url or None, config=config)
    except ProfileNotFound as exc:
        raise ConfigurationError(f"Setting CLEW_BEDROCK_PROFILE: there is no AWS profile {profile!r}.") from exc
    except NoRegionError as exc:
        raise ConfigurationError("Set CLEW_BEDROCK_REGION: no AWS region is configured for Bedrock.") from exc
    except BotoCoreError as exc:
        raise ConfigurationError(
            f"The Bedrock client cannot be made ({type(exc).__name__}): check the AWS configuration."
        ) from exc
