"""What an operator may get wrong in the graph's secret; nothing is sent anywhere."""

import pytest

from clew.errors import ConfigurationError
from clew.graph.connection import connect


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "graph.example",
        "http://graph.example:7474",
        "bolt://graph.example:7687/kb",
        "bolt://graph.example:x",
        "bolt://neo4j:not-to-be-shown@graph.example",
        "bolt://graph.example\nbolt://other.example",
    ],
)
def test_an_address_that_is_not_of_bolt_is_a_matter_of_configuration(uri: str) -> None:
    with pytest.raises(ConfigurationError, match="secret needs a uri") as caught:
        connect(uri, "neo4j", "not-to-be-shown", "neo4j")
    assert "not-to-be-shown" not in str(caught.value)


@pytest.mark.parametrize("uri", ["bolt://graph.example:7687", "neo4j+s://ab12.databases.example", "neo4j://[::1]:7687"])
def test_opening_sends_nothing(uri: str) -> None:
    connect(uri, "neo4j", "x", "neo4j").close()
