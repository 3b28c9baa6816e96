"""Fits the features of a corpus: atoms -> activations of every paper -> names and their tests.

An update keeps the atoms and the names, so that links keep their meaning: new papers get their activations, and every
name is tested again. Features are fitted again when a new map is made, and once the corpus has doubled.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.features.dictionary import Atoms, FeatureDictionary
from pathfinder.corpus.papers import PaperTable
from pathfinder.features.atoms import MIN_PAPERS, fit_atoms, n_features_of
from pathfinder.features.naming import name_features
from pathfinder.index.terms import KeywordIndex
from pathfinder.models.ports import Vectors
from pathfinder.retrieval.reranking.local.one_thread import ONE_THREAD
from pathfinder.types.features import Feature

__all__ = ["MIN_PAPERS", "fit_features"]
PAPERS_PER_BATCH = 4096


def fit_features(
    vectors: Vectors, papers: PaperTable, index: KeywordIndex, previous: FeatureDictionary | None = None
) -> FeatureDictionary:
    """Return the features of `papers`, with the atoms and names of `previous` unless the corpus has doubled."""
    named_features: Sequence[Feature] = ()
    if previous is not None and len(papers) < 2 * previous.n_fitted and previous.dimension == vectors.shape[1]:
        atoms, named_features, n_fitted = previous.atoms, previous.named_features, previous.n_fitted
    else:
        atoms, n_fitted = fit_atoms(vectors, n_features_of(len(papers))), len(papers)
    numbers, strengths = _encode(atoms, vectors)
    features = name_features(index, papers, numbers, len(atoms.directions), named_features)
    return FeatureDictionary(features, atoms, numbers, strengths, n_fitted)


def _encode(atoms: Atoms, vectors: Vectors) -> tuple[NDArray[np.int16], NDArray[np.float16]]:
    with ONE_THREAD:
        batches = [atoms.encode(vectors[i : i + PAPERS_PER_BATCH]) for i in range(0, len(vectors), PAPERS_PER_BATCH)]
    numbers, strengths = (np.concatenate(arrays) for arrays in zip(*batches, strict=True))
    return numbers, strengths.astype(np.float16)
