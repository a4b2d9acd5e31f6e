"""Text in English and Chinese: its language, its sentences, its terms."""
