"""The way of a question: from a message to a cited answer, as one stream of events."""
