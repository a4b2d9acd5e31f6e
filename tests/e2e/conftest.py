"""One stack for the whole suite, and a client for it."""

import uuid
from collections.abc import Iterator

import pytest

from tests.e2e.client import Client
from tests.e2e.service import SharedStack


@pytest.fixture(scope="session")
def stack(fake_aws_environment: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedStack]:
    """The demo, deployed and loaded once. At the end nothing of it may be left."""
    shared = SharedStack(tmp_path_factory.mktemp("e2e") / ".clew")
    try:
        shared.first_start()
        yield shared
    finally:
        shared.stop()


@pytest.fixture
def client(stack: SharedStack) -> Iterator[Client]:
    """A user of the default tenant whom no other test knows."""
    with Client(stack.url, user_id=f"user-{uuid.uuid4().hex[:12]}") as made:
        yield made
