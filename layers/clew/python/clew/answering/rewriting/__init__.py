"""Rewriting by rule: what a message leaves to the turns before it, and how that is put in its place."""
