"""Explain the ranking: why a paper has its rank, what would change it, and how stable it is."""
