"""Features of a corpus: a sparse dictionary over its vectors, with names that have been tested, as arrays on disk: its
atoms, and the features that are active in each paper.

An atom is a unit vector. The code of a paper is k-sparse and non-negative: of the cosines between the atoms and the
paper's vector less the mean of all vectors, the m largest are kept if they are positive (Coates and Ng 2012, "Learning
feature representations with k-means"). An activation is such a cosine divided by the cosine at which the feature is at
full strength; it is at most 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from pathfinder.errors import UsageError
from pathfinder.models.ports import Vectors
from pathfinder.text.language.lemmas import lemmas
from pathfinder.text.strict_json import from_json, to_json
from pathfinder.types import Rows, Weighting
from pathfinder.types.features import Activations, Feature

CENTRE, ATOMS, FULL = "centre.npy", "atoms.npy", "full.npy"
NUMBERS, STRENGTHS, FEATURES = "numbers.npy", "strengths.npy", "features.json"
NONE = -1
"""Number that stands for "no feature"."""


@dataclass(frozen=True, slots=True)
class _FeatureList:
    n_fitted: int
    features: tuple[Feature, ...]


_ADAPTER = TypeAdapter(_FeatureList)


@dataclass(frozen=True, slots=True, eq=False)
class Atoms:
    """Directions that turn a vector into activations."""

    centre: NDArray[np.float32]
    """Mean of the vectors, shape (dimension,)."""
    directions: NDArray[np.float32]
    """Unit vectors, shape (n_features, dimension)."""
    full: NDArray[np.float32]
    """Cosine at which each feature is at full strength, above 0, shape (n_features,)."""
    n_active: int
    """Largest number of features that are active in one paper."""

    def encode(self, vectors: Vectors) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        """Return the numbers and the activations of the features of each vector, shapes (n, n_active), the most active
        first; number -1 and activation 0 where fewer are active.
        """
        cosines = directions_from(vectors, self.centre) @ self.directions.T
        best = np.argsort(-cosines, axis=1, kind="stable")[:, : self.n_active]
        best_cosines = np.take_along_axis(cosines, best, axis=1)
        strengths = np.clip(best_cosines / self.full[best], 0.0, 1.0).astype(np.float32)
        return np.where(strengths > 0, best, NONE).astype(np.int16), strengths


@dataclass(frozen=True, slots=True, eq=False)
class FeatureDictionary:
    """The features of a corpus, and those that are active in each of its papers; row i is paper i."""

    features: tuple[Feature, ...]
    atoms: Atoms
    numbers: NDArray[np.int16]
    """Numbers of the active features, shape (n_papers, m)."""
    strengths: NDArray[np.float16]
    """Activations of the active features, in [0, 1], shape (n_papers, m)."""
    n_fitted: int
    """Number of papers in the corpus when the atoms were fitted."""

    def __len__(self) -> int:
        """Return the number of papers."""
        return len(self.numbers)

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return len(self.atoms.centre)

    @property
    def named_features(self) -> tuple[Feature, ...]:
        """Features whose names have passed their test, those with the most papers first."""
        return tuple(sorted((each for each in self.features if each.is_named), key=lambda each: -each.n_papers))

    def activations(self, rows: Rows, vectors: Vectors) -> Activations:
        """Return the activations of the papers at `rows`; those of papers beyond the last row, which live sources have
        found, are computed from their `vectors`.
        """
        is_own = rows < len(self)
        numbers = np.full((len(rows), self.atoms.n_active), NONE, dtype=np.int16)
        strengths = np.zeros(numbers.shape, dtype=np.float32)
        numbers[is_own], strengths[is_own] = self.numbers[rows[is_own]], self.strengths[rows[is_own]]
        if not is_own.all():
            numbers[~is_own], strengths[~is_own] = self.atoms.encode(vectors[~is_own])
        return Activations(tuple(each.name for each in self.features), numbers, strengths)

    def only(self, rows: Rows) -> "FeatureDictionary":
        """Return the dictionary for the papers at `rows` alone; the names and their tests still rest on all papers."""
        numbers = self.numbers[rows]
        n_papers = np.bincount(numbers[numbers >= 0], minlength=len(self.features))
        features = tuple(replace(each, n_papers=int(n_papers[each.number])) for each in self.features)
        return replace(self, features=features, numbers=numbers, strengths=self.strengths[rows])

    def rows_of(self, feature: Feature) -> Rows:
        """Return the rows of the papers in which `feature` is active, the most active first."""
        rows, places = np.nonzero(self.numbers == feature.number)
        return rows[np.lexsort((rows, -self.strengths[rows, places].astype(np.float64)))]


def directions_from(vectors: Vectors, centre: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return unit vectors that point from `centre` to `vectors`."""
    apart = np.asarray(vectors, dtype=np.float32) - centre
    lengths = np.linalg.norm(apart, axis=1, keepdims=True)
    return np.asarray(apart / np.where(lengths > 0, lengths, 1.0))


def write_features(dictionary: FeatureDictionary, folder: Path) -> None:
    """Write a dictionary to a new folder."""
    folder.mkdir()
    atoms = dictionary.atoms
    arrays: dict[str, NDArray[np.generic]] = {
        CENTRE: atoms.centre,
        ATOMS: atoms.directions,
        FULL: atoms.full,
        NUMBERS: dictionary.numbers,
        STRENGTHS: dictionary.strengths,
    }
    for name, array in arrays.items():
        np.save(folder / name, array, allow_pickle=False)
    feature_list = _FeatureList(dictionary.n_fitted, dictionary.features)
    (folder / FEATURES).write_text(to_json(_ADAPTER, feature_list), encoding="utf-8")


def open_features(folder: Path) -> FeatureDictionary:
    """Open a dictionary, with the features of the papers memory-mapped. Raises `CorpusDamaged` or `ValueError` for
    inconsistent files.
    """
    feature_list = from_json(_ADAPTER, (folder / FEATURES).read_bytes(), str(folder / FEATURES))
    centre, directions, full = (np.load(folder / name, allow_pickle=False) for name in (CENTRE, ATOMS, FULL))
    numbers, strengths = (np.load(folder / name, mmap_mode="r", allow_pickle=False) for name in (NUMBERS, STRENGTHS))
    shapes = (len(feature_list.features), len(centre)), (len(feature_list.features),), numbers.shape
    if shapes != (directions.shape, full.shape, strengths.shape) or numbers.ndim != 2:
        raise ValueError("its arrays do not have matching shapes")
    types = (centre.dtype, directions.dtype, full.dtype, numbers.dtype, strengths.dtype)
    if types != (np.float32, np.float32, np.float32, np.int16, np.float16):
        raise ValueError("its arrays are not of the expected types")
    if numbers.size and not NONE <= numbers.min() <= numbers.max() < len(feature_list.features):
        raise ValueError("it names features that it does not describe")
    atoms = Atoms(centre, directions, full, numbers.shape[1])
    return FeatureDictionary(feature_list.features, atoms, numbers, strengths, feature_list.n_fitted)


N_NEAR = 3
LIST_THEM = "`pathfinder features DIR` lists them"


def find_feature(name: str, features: Sequence[Feature]) -> Feature:
    """Return the named feature that `name` denotes: its whole name, or one of its phrases that no other named feature
    has, compared by lemmas.

    Raises `UsageError` with the names to choose from if there is no such feature, or if several have the phrase.
    """
    named_features = [feature for feature in features if feature.is_named]
    key = lemmas(name)
    whole = [feature for feature in named_features if name == feature.name or key == lemmas(feature.name or "")]
    parts = [feature for feature in named_features if any(key == lemmas(phrase) for phrase in feature.phrases)]
    if whole or len(parts) == 1:
        return (whole or parts)[0]
    if parts:
        several = "; ".join(str(feature.name) for feature in parts)
        raise UsageError(
            f"several features of this corpus have {name!r} in their names: name one of them in full: {several}"
        )
    raise UsageError(f"no feature of this corpus is called {name!r}{_near(name, named_features)}: {LIST_THEM}")


def with_full_names(weighting: Weighting, features: Sequence[Feature]) -> Weighting:
    """Return `weighting` with the whole name of each feature by which it steers. Raises `UsageError` for a name that is
    unknown, ambiguous or repeated.
    """
    if not weighting.steers:
        return weighting
    steers = ((find_feature(name, features).name or "", strength) for name, strength in weighting.steers)
    return replace(weighting, steers=tuple(steers))


def _near(name: str, named_features: Sequence[Feature]) -> str:
    """Return the names nearest to `name`, as the end of a sentence; empty if there are none."""
    by_phrase = {phrase.casefold(): str(feature.name) for feature in named_features for phrase in feature.phrases}
    near = dict.fromkeys(by_phrase[key] for key in get_close_matches(name.casefold(), by_phrase, N_NEAR, 0.5))
    return f" (near: {'; '.join(near)})" if near else ""
