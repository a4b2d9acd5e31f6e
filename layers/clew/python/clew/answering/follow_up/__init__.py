"""Asking the user for what only the user knows, and going on with the question."""
