"""What the users of a conversation state, ask and decide, noted in lines that can be read back."""
