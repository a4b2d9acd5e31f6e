"""A turn: the steps from a message to a stored answer."""
