"""What is seen of a running stage from outside: correlation ids, logs, traces and metrics, and no texts in any."""
