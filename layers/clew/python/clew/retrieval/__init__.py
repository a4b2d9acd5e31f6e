"""Retrieve-only workers: from a question to evidence."""
