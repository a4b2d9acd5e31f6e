"""Clew: serverless GraphRAG chat for AWS."""

__version__ = "0.1.0"
