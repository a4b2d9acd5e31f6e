"""What a conversation remembers beyond its last messages: episodes, summaries, and what is known of a user."""
