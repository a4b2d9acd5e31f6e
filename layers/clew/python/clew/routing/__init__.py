"""Which knowledge base and which workers should look at a question."""
