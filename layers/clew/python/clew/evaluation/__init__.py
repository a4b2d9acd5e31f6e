"""Measuring retrieval on a data set of questions with known passages."""
