"""What every suite shares: an AWS environment that leads nowhere by accident."""

from collections.abc import Iterator

import pytest

FAKE = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_REGION": "us-east-1",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": "/dev/null",
    "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
}
UNSET = ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "AWS_BEARER_TOKEN_BEDROCK")


@pytest.fixture(scope="session", autouse=True)
def fake_aws_environment() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in FAKE.items():
            patch.setenv(name, value)
        for name in UNSET:
            patch.delenv(name, raising=False)
        yield
