"""Answers while they are being given: numbered events, for whoever reads along, until the one end."""
