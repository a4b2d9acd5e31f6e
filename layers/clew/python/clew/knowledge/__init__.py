"""Knowledge bases: what they are, and how documents become a graph."""
