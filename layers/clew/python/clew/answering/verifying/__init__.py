"""Deciding by what was found whether to answer, to ask, to look again, or to say that it is not known."""
