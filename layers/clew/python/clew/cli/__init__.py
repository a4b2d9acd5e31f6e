"""The command line."""

from clew.cli.app import main

__all__ = ["main"]
