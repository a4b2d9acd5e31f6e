"""Research: several rounds of retrieval, each asking for what the last one left open."""
