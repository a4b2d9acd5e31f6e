"""What a chat model is given, within a budget of tokens."""
