"""Fits the features of a corpus: a sparse dictionary over its vectors, with names that are chosen and tested."""

from pathfinder.features.fitting import MIN_PAPERS, fit_features

__all__ = ["MIN_PAPERS", "fit_features"]
