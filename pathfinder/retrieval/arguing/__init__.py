"""Arguing with the ranking: why a paper stands where it does, what would move it, and how sure its place is."""
