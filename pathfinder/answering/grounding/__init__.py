"""Verifiable citations: the sources that a model was shown, and those that it cites."""
