"""A corpus of vectors in which it is known which papers have which feature: three directions, each with its keyword."""

import numpy as np

from pathfinder.corpus.features import Atoms, FeatureDictionary
from pathfinder.index.terms import KeywordIndex, keyword_index_of
from pathfinder.types import Paper
from pathfinder.types.features import Feature
from tests.landscape.planted import table

TOPICS = ("honey bees", "river deltas", "sea ice")


def papers(n_each: int = 100, shared_phrase: str = "field work") -> list[Paper]:
    """`n_each` papers on each topic, in turn, with the topic and a word of all papers as keywords."""
    return [
        Paper(f"p{i}", f"On {TOPICS[i % 3]}", "", keywords=(TOPICS[i % 3], shared_phrase))
        for i in range(n_each * len(TOPICS))
    ]


def vectors(n: int, spread: float = 0.1) -> np.ndarray:
    """A unit vector for each of `n` papers, near the axis of its topic."""
    positions = np.random.default_rng(3).normal(scale=spread, size=(n, 8)).astype(np.float32)
    positions[np.arange(n), np.arange(n) % 3] += 1.0
    return positions / np.linalg.norm(positions, axis=1, keepdims=True)


def index(papers: list[Paper]) -> KeywordIndex:
    """The keyword index of these papers."""
    return keyword_index_of(papers)


def dictionary(activations: dict[str, list[float]], dimension: int = 384, auc: float = 0.9) -> FeatureDictionary:
    """A dictionary of named features, each with its activation in every paper."""
    values = np.array([*activations.values()], dtype=np.float32).T
    n_papers, n = values.shape
    features = tuple(
        Feature(i, tuple(name.split(" / ")), auc, int((values[:, i] > 0).sum()), is_named=True)
        for i, name in enumerate(activations)
    )
    atoms = Atoms(np.zeros(dimension, np.float32), np.eye(n, dimension, dtype=np.float32), np.ones(n, np.float32), n)
    numbers = np.where(values > 0, np.arange(n, dtype=np.int16), np.int16(-1)).astype(np.int16)
    return FeatureDictionary(features, atoms, numbers, values.astype(np.float16), n_papers)


__all__ = ["TOPICS", "dictionary", "index", "papers", "table", "vectors"]
