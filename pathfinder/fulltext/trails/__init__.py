"""Citation trails: which papers cite a given paper in their full texts, and in which sentences."""

from pathfinder.fulltext.trails.citing_sentences import CitingSentence, citing_sentences, is_reference_to

__all__ = ["CitingSentence", "citing_sentences", "is_reference_to"]
