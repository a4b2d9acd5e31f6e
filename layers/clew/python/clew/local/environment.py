"""Environments for what talks to the emulator, so that no call reaches a real AWS account by accident."""

import contextlib
import os
from collections.abc import Iterator, Mapping
from typing import Final

from clew.local.project import REGION, SECRET_NAME, STAGE
from clew.local.running_stack import RunningStack

# Kept from the developer's shell: where profiles are, so that CLEW_BEDROCK_PROFILE can name one.
_KEPT: Final = frozenset({"AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CA_BUNDLE"})

# Decided by the stack itself: where its parts are, and what all that use one graph must agree on.
_TIES: Final = frozenset(
    {
        "CLEW_EMBEDDER",
        "CLEW_EMBEDDING_MODEL_ID",
        "CLEW_GRAPH_ENGINE",
        "CLEW_IDENTITY",
        "CLEW_NEO4J_SECRET",
        "CLEW_PORT",
        "CLEW_STAGE",
        "CLEW_TABLE_NAME",
        "CLEW_WORKFLOW_ARN",
    }
)


def aws_environment(emulator_url: str, base: Mapping[str, str]) -> dict[str, str]:
    """``base`` with every AWS variable replaced by those that lead to the emulator.

    A profile, a role, a session token or a service's own endpoint in the shell would win over what is set
    here, so they all go.
    """
    environment = {name: value for name, value in base.items() if not name.startswith("AWS_") or name in _KEPT}
    return environment | {
        "AWS_ENDPOINT_URL": emulator_url,
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        # StartSyncExecution would go to sync-<host>, a name that an address such as 127.0.0.1 cannot have.
        "AWS_DISABLE_HOST_PREFIX_INJECTION": "true",
        "AWS_EC2_METADATA_DISABLED": "true",
        "NO_PROXY": _without_proxy(base.get("NO_PROXY") or base.get("no_proxy", "")),
        "no_proxy": _without_proxy(base.get("NO_PROXY") or base.get("no_proxy", "")),
    }


def _without_proxy(listed: str) -> str:
    hosts = [host for host in listed.split(",") if host]
    return ",".join([*hosts, *(host for host in ("127.0.0.1", "localhost") if host not in hosts)])


def ingest_environment(stack: RunningStack) -> dict[str, str]:
    """The variables that ``IngestSettings.load()`` and AWS clients need to load documents into ``stack``."""
    return aws_environment(stack.emulator_url, {}) | {
        "CLEW_STAGE": STAGE,
        "CLEW_TABLE_NAME": stack.table_name,
        "CLEW_NEO4J_SECRET": SECRET_NAME,
        "CLEW_GRAPH_ENGINE": "arcadedb",
        "CLEW_EMBEDDER": "e5",
    }


def shell_settings(shell: Mapping[str, str]) -> dict[str, str]:
    """The choices that a developer made in the shell, such as ``CLEW_CHAT_MODEL=bedrock``.

    What ties the parts of this stack together is not among them: a shell that is set up for an AWS stage
    must not send a laptop to that stage's table.
    """
    return {
        name: value
        for name, value in shell.items()
        if (name.startswith("CLEW_") and name not in _TIES) or name == "KB_AUTO_ROUTE"
    }


def without_settings(shell: Mapping[str, str]) -> dict[str, str]:
    """The shell's variables without those settings: deployed functions get theirs from the template alone."""
    return {name: value for name, value in shell.items() if not name.startswith("CLEW_") and name != "KB_AUTO_ROUTE"}


@contextlib.contextmanager
def applied(variables: Mapping[str, str]) -> Iterator[None]:
    """``variables`` in this process's environment, and all other AWS variables out of it, for a while."""
    former = dict(os.environ)
    for name in former:
        if name.startswith("AWS_") and name not in _KEPT:
            del os.environ[name]
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(former)
