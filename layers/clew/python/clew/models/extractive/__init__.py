"""The chat model that needs no language model: it quotes the evidence sentences that answer."""
