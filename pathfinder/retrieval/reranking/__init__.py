"""Reranking: reorder the best candidates with a more precise model."""
