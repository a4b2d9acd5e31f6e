"""Chat models and embedders: the adapters behind the two protocols."""
