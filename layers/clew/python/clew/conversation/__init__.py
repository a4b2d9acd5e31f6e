"""What was said: conversations, messages, feedback."""
