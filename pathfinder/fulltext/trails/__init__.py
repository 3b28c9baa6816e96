"""Citation trails: who cites a paper in a full text, and in which sentence."""

from pathfinder.fulltext.trails.citing_sentences import CitingSentence, citing_sentences, is_reference_to

__all__ = ["CitingSentence", "citing_sentences", "is_reference_to"]
