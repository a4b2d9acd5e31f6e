"""The laptop: the same stack on an emulator, an embedded graph and a small gateway."""
