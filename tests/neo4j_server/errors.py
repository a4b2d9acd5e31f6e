"""Why there may be no Neo4j to test with."""


class MissingToolError(Exception):
    """A tool that this machine lacks; the message names it."""


class FetchError(Exception):
    """The artifacts cannot be had now."""
