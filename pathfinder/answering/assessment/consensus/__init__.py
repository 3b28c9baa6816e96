"""Consensus: the extent to which papers agree with a statement, and since when."""
