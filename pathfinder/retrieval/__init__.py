"""Retrieval: from a question to ranked hits."""
