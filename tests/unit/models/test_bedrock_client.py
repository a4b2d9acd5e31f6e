"""Where the Bedrock client goes, and with whose credentials. No request leaves the process."""

import re
from pathlib import Path
from typing import Any

import pytest
from botocore.awsrequest import AWSResponse
from botocore.exceptions import ClientError

from clew.errors import ConfigurationError
from clew.models.bedrock_client import bedrock_agent_client, bedrock_client

CONFIG = """
[profile work]
region = eu-west-1
aws_access_key_id = AKIDOFTHEPROFILE
aws_secret_access_key = secret

[profile nowhere]
aws_access_key_id = AKIDOFTHEPROFILE
aws_secret_access_key = secret
"""


@pytest.fixture
def emulated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The laptop's environment: everything points at the emulator, and there is a file of profiles."""
    config = tmp_path / "config"
    config.write_text(CONFIG)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:4566")


def sent(client: Any) -> tuple[str, str]:
    """URL and access key of a request that is stopped before it reaches a socket."""
    requests: list[Any] = []

    def answer(request: Any, **_: Any) -> AWSResponse:
        requests.append(request)
        return AWSResponse(request.url, 403, {}, _Body())

    client.meta.events.register("before-send.bedrock-runtime.*", answer)
    with pytest.raises(ClientError):
        client.invoke_model(modelId="any", body=b"{}")
    authorization = requests[0].headers["Authorization"]
    if isinstance(authorization, bytes):
        authorization = authorization.decode()
    key = re.search(r"Credential=(\w+)/", authorization)
    assert key
    return requests[0].url, key.group(1)


class _Body:
    def stream(self, **_: Any) -> list[bytes]:
        return [b"{}"]


@pytest.mark.usefixtures("emulated")
def test_without_a_profile_the_endpoint_variable_holds() -> None:
    assert sent(bedrock_client()) == ("http://127.0.0.1:4566/model/any/invoke", "test")


@pytest.mark.usefixtures("emulated")
def test_a_profile_goes_to_the_real_endpoint_of_its_own_region() -> None:
    url, key = sent(bedrock_client(profile="work"))
    assert url == "https://bedrock-runtime.eu-west-1.amazonaws.com/model/any/invoke"
    assert key == "AKIDOFTHEPROFILE"


@pytest.mark.usefixtures("emulated")
@pytest.mark.parametrize(
    ("arguments", "region"),
    [
        ({"profile": "work", "region": "ap-northeast-1"}, "ap-northeast-1"),
        ({"profile": "nowhere"}, "us-east-1"),
        ({"region": "us-west-2"}, "us-west-2"),
    ],
    ids=["region over profile", "environment's for a profile without", "region alone"],
)
def test_the_region_is_the_nearest_that_is_given(arguments: dict[str, str], region: str) -> None:
    assert bedrock_client(**arguments).meta.region_name == region


@pytest.mark.usefixtures("emulated")
def test_the_client_that_reranks_is_made_the_same_way() -> None:
    client = bedrock_agent_client(profile="work", connect_timeout=1.5, read_timeout=2.5, attempts=3)
    assert client.meta.endpoint_url == "https://bedrock-agent-runtime.eu-west-1.amazonaws.com"
    assert (client.meta.config.connect_timeout, client.meta.config.read_timeout) == (1.5, 2.5)
    assert client.meta.config.retries == {"mode": "standard", "total_max_attempts": 3}
    assert bedrock_agent_client().meta.endpoint_url == "http://127.0.0.1:4566"


def test_an_endpoint_passed_in_wins() -> None:
    url, _ = sent(bedrock_client(endpoint_url="http://127.0.0.1:9999"))
    assert url.startswith("http://127.0.0.1:9999/")


def test_time_outs_and_attempts_reach_the_client() -> None:
    config = bedrock_client(connect_timeout=1.5, read_timeout=2.5, attempts=3).meta.config
    assert (config.connect_timeout, config.read_timeout) == (1.5, 2.5)
    assert config.retries == {"mode": "standard", "total_max_attempts": 3}


@pytest.mark.parametrize(
    ("arguments", "variable"),
    [({"profile": "missing"}, "CLEW_BEDROCK_PROFILE"), ({}, "CLEW_BEDROCK_REGION")],
)
def test_a_profile_or_region_that_is_missing_names_the_setting(
    arguments: dict[str, str], variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION")
    with pytest.raises(ConfigurationError, match=variable):
        bedrock_client(**arguments)
