"""Generated requests, good and bad, against a running service, and whether it bears them."""
