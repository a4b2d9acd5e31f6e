"""The five agents: each a way to rank passages, over searches that they share."""
