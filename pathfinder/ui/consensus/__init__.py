"""Consensus panels: how far the papers agree."""
