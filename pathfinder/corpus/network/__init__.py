"""The citation network of a corpus: which of its papers cite which, and the works outside it that they cite."""

from pathfinder.corpus.network.arrays import CitationNetwork, Lists, open_network

__all__ = [
    "CitationNetwork",
    "Lists",
    "open_network",
]
