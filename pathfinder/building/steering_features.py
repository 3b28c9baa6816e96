"""Fits the features of a corpus: atoms -> activations of every paper -> names and their tests.

An update keeps the atoms and the names, so that links keep their meaning: new papers get their activations, and every
name is tested again. Features are fitted again when a new map is made, and once the corpus has doubled.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.cluster import kmeans_plusplus

from pathfinder.building.work import Work
from pathfinder.corpus.features import Atoms, FeatureDictionary, directions_from, write_features
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import CorpusFile
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.statistics.keywords import LEAST_LIFT, SINGLE_WORD, as_written
from pathfinder.models.ports import Vectors
from pathfinder.retrieval.reranking.local.one_thread import ONE_THREAD
from pathfinder.text.language.lemmas import lemmas
from pathfinder.types import Floats, Rows
from pathfinder.types.features import MIN_AUC, Feature

PAPERS_PER_BATCH = 4096


def features_part(work: Work) -> CorpusFile | str:
    """Fit, name and test the features of all papers, or bring those of the previous corpus up to date; return the
    reason if there are too few papers.
    """
    if len(work.papers) < MIN_PAPERS:
        return f"features need at least {MIN_PAPERS} papers: add papers"  # earlier years have even fewer
    previous = work.previous.features if work.previous and not work.plan.options.afresh else None
    with work.stage("fitting features"):
        dictionary = fit_features(work.vectors, work.papers, KeywordIndex.open(work.path("terms")), previous)
        return work.make_part("features", "features", lambda folder: write_features(dictionary, folder))


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


# Fits the atoms of the features: spherical k-means over the papers' vectors (Dhillon and Modha 2001), which begins
# with k-means++ (Arthur and Vassilvitskii 2007).
#
# Centroids serve as a dictionary for sparse codes (Coates and Ng 2012). `benchmarks/FEATURES.md` compares them with a
# k-sparse autoencoder and with non-negative matrix factorisation.

SEED = 20240801
MOST_FEATURES = 200
PAPERS_EACH = 25
"""Number of papers per feature; a corpus has at most `MOST_FEATURES` features."""
MIN_PAPERS = 250
"""Minimum number of papers in a corpus with features; with fewer, there would be too few to test a name on."""
MOST_ACTIVE = 4
"""Largest number of features active in a paper; in a corpus with few features, at most a tenth of them."""
MOST_READ = 20_000
"""Maximum number of papers, drawn at random, to which the atoms are fitted."""
N_STEPS = 20
FULL_PERCENTILE = 95
"""Percentile, among the cosines of the papers in which a feature is active, that counts as full strength."""


def n_features_of(n_papers: int) -> int:
    """Return the number of features of a corpus with `n_papers` papers."""
    return min(MOST_FEATURES, n_papers // PAPERS_EACH)


def n_active_of(n_features: int) -> int:
    """Return the largest number of features that are active in one paper."""
    return min(MOST_ACTIVE, max(1, n_features // 10))


def fit_atoms(vectors: Vectors, n_features: int, seed: int = SEED) -> Atoms:
    """Fit `n_features` atoms to vectors of shape (n, dimension), n >= n_features.

    Linear algebra runs on one thread, so that sums are added up in the same order whatever the number of cores.
    """
    generator = np.random.default_rng(seed)
    rows = np.sort(generator.choice(len(vectors), min(len(vectors), MOST_READ), replace=False))
    sample = np.asarray(vectors[rows], dtype=np.float32)
    centre = sample.mean(axis=0)
    with ONE_THREAD:
        directions = _spherical_k_means(directions_from(sample, centre), n_features, generator)
        # The cosine at which each feature is at full strength.
        n_active = n_active_of(n_features)
        cosines = directions_from(sample, centre) @ directions.T
        least = np.partition(cosines, -n_active, axis=1)[:, -n_active][:, None]
        active = np.where((cosines >= least) & (cosines > 0), cosines, np.nan)
        active[0, np.isnan(active).all(axis=0)] = 1.0  # a feature that is active in no paper
        full = np.nanpercentile(active, FULL_PERCENTILE, axis=0).astype(np.float32)
        return Atoms(centre, directions, full, n_active)


def _spherical_k_means(units: NDArray[np.float32], k: int, generator: np.random.Generator) -> NDArray[np.float32]:
    """Return `k` unit vectors, shape (k, dimension); one to which no paper belongs is replaced by the vector of a
    random paper.
    """
    first, _ = kmeans_plusplus(units, k, random_state=int(generator.integers(2**31)))
    atoms: NDArray[np.float32] = first
    for _ in range(N_STEPS):
        nearest = np.argmax(units @ atoms.T, axis=1)
        sums = np.zeros_like(atoms)
        np.add.at(sums, nearest, units)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        is_empty = lengths[:, 0] == 0
        sums[is_empty] = units[generator.choice(len(units), int(is_empty.sum()))]
        atoms = (sums / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return atoms


# Names features by phrases chosen on one half of the papers, and tests each name on the other half.
#
# The papers are halved by a hash of their ids, so a paper stays in its half when others are added. A phrase is a
# keyword of the corpus. On the first half, phrases are chosen one after another, each time the one that most
# increases the AUC; on the second half, with the phrases fixed, the same AUC is the test:
#
#     AUC = P(n(paper with the feature) > n(paper without it)) + P(the two are equal) / 2
#
# where n is how many of the phrases a paper has among its keywords. A name is therefore tested on how well it
# predicts the feature in papers it has not seen: 0.5 is chance, and a name that fits only some of the papers with the
# feature stays near 0.5, however specific it is.

MAX_PHRASES = 4
MIN_PAPERS_WITH = 5
"""Minimum number of papers in the naming half that must have both a phrase and the feature that it may name."""
LEAST_GAIN = 0.01
"""Minimum gain in AUC from a phrase; the gain from a single word is multiplied by `SINGLE_WORD`, because it says less.
"""
N_WRITTEN, N_TRIED = 60, 30
"""Number of phrases per feature whose spelling is looked up in the papers, and how many of them are tried as names."""
MIN_TESTED = 10
"""Minimum number of papers with the feature, and without it, in the testing half."""
MOST_NAMED = 40_000
"""Maximum number of papers, sampled evenly, that are used to choose and to test names."""


@dataclass(frozen=True, slots=True, eq=False)
class Half:
    """The keywords and features of one half of the papers."""

    phrases: csr_matrix
    """1 where a paper has a phrase, shape (n_terms, n)."""
    active: NDArray[np.bool_]
    """True where a feature is active, shape (n, n_features)."""

    def counts(self, terms: Sequence[int]) -> Rows:
        """Return how many of `terms` each paper has, shape (n,)."""
        return np.asarray(self.phrases[list(terms)].sum(axis=0), dtype=np.int64).ravel()


@dataclass(frozen=True, slots=True)
class NamePhrase:
    """A phrase that may name a feature."""

    term: int
    """Position in the index of keywords."""
    text: str
    """Its most common spelling in the papers."""
    worth: float
    """Factor by which its gain is multiplied: 1, or `SINGLE_WORD` for a single word."""


def name_features(
    index: KeywordIndex,
    papers: PaperTable,
    numbers: NDArray[np.int16],
    n_features: int,
    previous: Sequence[Feature] = (),
) -> tuple[Feature, ...]:
    """Name and test every feature; `numbers`, shape (n_papers, m), are the numbers of the features active in each
    paper.

    The features in `previous` keep their phrases, which are only tested again.
    """
    is_naming = in_naming_half(papers.paper_ids())
    naming, testing = (_half(index, numbers, n_features, half) for half in (is_naming, ~is_naming))
    candidates = _candidates(index, papers, naming, is_naming)
    terms = {str(term): place for place, term in enumerate(index.terms.to_pylist())}
    phrases = {feature.number: feature.phrases for feature in previous}
    n_papers = np.bincount(numbers[numbers >= 0], minlength=n_features)
    tested_features = []
    for number in range(n_features):
        if number in phrases:
            term_of = {text: terms.get(" ".join(lemmas(text)), -1) for text in phrases[number]}
        else:
            term_of = {each.text: each.term for each in _best_phrases(candidates[number], naming, number)}
        present = [term for term in term_of.values() if term >= 0]
        score = auc(testing.counts(present), testing.active[:, number]) if term_of else None
        tested_features.append(Feature(number, tuple(term_of), score, int(n_papers[number]), is_named=False))
    return _with_names(tested_features)


def in_naming_half(paper_ids: Sequence[str]) -> NDArray[np.bool_]:
    """Return a mask of the papers on which names are chosen; they are tested on the other papers."""
    return np.array([hashlib.blake2b(each.encode(), digest_size=1).digest()[0] % 2 == 0 for each in paper_ids])


def auc(counts: Rows, is_active: NDArray[np.bool_]) -> float | None:
    """Return the area under the ROC curve of `counts`, whole numbers from 0, as a predictor of `is_active`; `None` with
    fewer than `MIN_TESTED` papers of either kind.
    """
    n_kinds = int(counts.max(initial=0)) + 1
    active, others = (np.bincount(counts[kind], minlength=n_kinds) for kind in (is_active, ~is_active))
    if min(active.sum(), others.sum()) < MIN_TESTED:
        return None
    below = np.cumsum(others) - others
    return float((active * (below + others / 2)).sum() / active.sum() / others.sum())


def _half(index: KeywordIndex, numbers: NDArray[np.int16], n_features: int, is_in: NDArray[np.bool_]) -> Half:
    rows = np.flatnonzero(is_in)
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), MOST_NAMED // 2)).astype(np.int64))]
    ones = np.ones(len(index.rows), dtype=np.float32)
    phrases = csr_matrix((ones, index.rows, index.starts), shape=(len(index.terms), len(numbers)))
    active = np.zeros((len(rows), n_features + 1), dtype=np.bool_)
    np.put_along_axis(active, numbers[rows].astype(np.int64), True, axis=1)  # number -1 is the last column
    return Half(phrases[:, rows], active[:, :n_features])


def _candidates(
    index: KeywordIndex, papers: PaperTable, naming: Half, is_naming: NDArray[np.bool_]
) -> list[list[NamePhrase]]:
    """Return the phrases that may name each feature, the most telling first, as the papers of the naming half spell
    them.
    """
    terms = np.flatnonzero(np.diff(naming.phrases.indptr) >= MIN_PAPERS_WITH)
    worth = np.array([SINGLE_WORD if " " not in str(index.terms[int(term)].as_py()) else 1.0 for term in terms])
    best = [terms[places] for places in _most_telling(naming, terms, worth)]
    sampled_rows = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *best]))
    spellings = dict(zip(sampled_rows.tolist(), as_written(index, papers, sampled_rows, is_naming), strict=True))
    worth_of = dict(zip(terms.tolist(), worth.tolist(), strict=True))
    phrases = (((term, spellings[term]) for term in places.tolist()) for places in best)
    return [
        [NamePhrase(term, text, worth_of[term]) for term, text in each if text and not {*text} & {*";="}][:N_TRIED]
        for each in phrases
    ]


def _most_telling(naming: Half, terms: Rows, worth: Floats) -> Iterator[Rows]:
    """Yield, for each feature, the positions in `terms` of the phrases whose share among the papers with the feature
    most exceeds that among the others.
    """
    here = np.asarray(naming.phrases[terms] @ naming.active.astype(np.float32))
    everywhere = np.asarray(naming.phrases[terms].sum(axis=1)).ravel()
    n, n_active = len(naming.active), naming.active.sum(axis=0)
    for number in range(naming.active.shape[1]):
        n_with, count = max(int(n_active[number]), 1), here[:, number]
        share, elsewhere = count / n_with, (everywhere - count) / max(n - n_with, 1)
        gain = (share - elsewhere) * worth
        gain[(count < MIN_PAPERS_WITH) | (share < LEAST_LIFT * everywhere / n)] = 0
        best = np.argsort(-gain, kind="stable")[:N_WRITTEN]
        yield best[gain[best] > 0]


def _best_phrases(candidates: Sequence[NamePhrase], naming: Half, number: int) -> list[NamePhrase]:
    """Choose phrases one by one, each time the one that most increases the AUC on the naming half."""
    is_active = naming.active[:, number]
    words = {each: {*lemmas(each.text)} for each in candidates}
    columns = {each.term: naming.counts([each.term]) for each in candidates}
    own_phrases: list[NamePhrase] = []
    counts, best_auc = np.zeros(len(is_active), dtype=np.int64), 0.5
    while len(own_phrases) < MAX_PHRASES:
        gains = {
            each: ((auc(counts + columns[each.term], is_active) or 0.0) - best_auc) * each.worth
            for each in candidates
            if not any(words[each] <= words[other] or words[other] <= words[each] for other in own_phrases)
        }
        best = max(gains, key=gains.__getitem__, default=None)
        if best is None or gains[best] < LEAST_GAIN:
            break
        own_phrases.append(best)
        counts = counts + columns[best.term]
        best_auc = auc(counts, is_active) or 0.0
    return own_phrases


def _with_names(tested_features: Sequence[Feature]) -> tuple[Feature, ...]:
    """Name the features that have passed the test; of several with the same phrases, only the one with the best AUC is
    named.
    """
    features_that_pass = [feature for feature in tested_features if feature.auc is not None and feature.auc >= MIN_AUC]
    owner: dict[frozenset[str], int] = {}
    for feature in sorted(features_that_pass, key=lambda feature: -(feature.auc or 0.0)):
        owner.setdefault(frozenset(feature.phrases), feature.number)
    named_numbers = {*owner.values()}
    return tuple(
        Feature(each.number, each.phrases, each.auc, each.n_papers, is_named=each.number in named_numbers)
        for each in tested_features
    )
