"""The demo knowledge bases, loaded once as the laptop loads them, and small ones beside them."""

from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from clew.graph.namespace import Namespace
from clew.knowledge.documents import read_documents
from clew.knowledge.profile_file import read_profile
from clew.retrieval.pool import AgentPool
from tests.integration.graph.engines import Engine
from tests.integration.graph.library import Library
from tests.integration.retrieval.demo import ROOT, Demo, RememberingEmbedder
from tests.integration.table import profiles_table


@pytest.fixture(scope="module")
def library(engine: Engine) -> Iterator[Library]:
    with mock_aws():
        yield Library(engine, profiles_table(boto3.Session()))


@pytest.fixture(scope="session")
def embedder() -> RememberingEmbedder:
    """One for all engines: they are given the same texts."""
    return RememberingEmbedder()


@pytest.fixture(scope="session")
def demo(engine: Engine, embedder: RememberingEmbedder) -> Demo:
    tenant = engine.namespace().tenant_id
    with mock_aws():
        library = Library(engine, profiles_table(boto3.Session()))
        for profile in sorted(ROOT.glob("demo/*/profile.toml")):
            summary = read_profile(profile)
            documents = read_documents([profile.parent])
            library.load(Namespace(tenant, summary.prefix), documents, embedder, summary=summary, embedder_name="e5")
        profiles = library.registry(Namespace(tenant, "any")).list()
    return Demo(AgentPool(lambda prefix: library.reader(Namespace(tenant, prefix)), embedder), embedder, profiles)
