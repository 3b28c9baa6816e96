"""Names of features: how many pass their test with each dictionary, and how many would pass by chance.

    python -m benchmarks.features CORPUS [--dictionaries] [--json FILE]

CORPUS is the folder of a corpus. Features are fitted, named and tested as in a build. The controls:

- chance: every name is tested on another feature, drawn at random;
- blind fit: the atoms, too, are fitted on the naming half alone;
- stability: the share of features whose atom has a cosine of 0.8 or more with its one-to-one match among atoms fitted
with another seed on a random half of the papers.

`--dictionaries` compares other dictionaries with as many atoms, named and tested in the same way: a k-sparse
autoencoder (Makhzani and Frey 2013), trained with Adam, and non-negative matrix factorisation of the vectors with
their positive and negative parts side by side.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from sklearn.decomposition import MiniBatchNMF

from benchmarks.report import Figure, machine, print_figures
from pathfinder.corpus.features.dictionary import Atoms, directions_from
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.features import fit_atoms, fit_features, in_naming_half, name_features
from pathfinder.types.features import MIN_AUC, Feature

TARGET = 120
SEED = 7
N_EPOCHS, BATCH, RATE = 15, 512, 1e-3

Codes = NDArray[np.float32]
"""Activations of all features in all papers, shape (n_papers, n_features)."""


def main() -> None:
    """Print the figures for one corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--dictionaries", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    print(machine())
    corpus = open_corpus(options.corpus)
    vectors = corpus.dense.vectors(np.arange(len(corpus.papers), dtype=np.int64))
    figures = _figures(corpus, vectors)
    if options.dictionaries:
        figures += _dictionaries(corpus, vectors)
    print_figures(figures, options.json)


def _figures(corpus: Corpus, vectors: NDArray[np.float32]) -> list[Figure]:
    start = time.perf_counter()
    dictionary = fit_features(vectors, corpus.papers, corpus.terms)
    seconds = time.perf_counter() - start
    n, atoms = len(dictionary.features), dictionary.atoms
    is_whole = n == 200
    is_naming = in_naming_half(corpus.papers.paper_ids())
    blind = _named_by(corpus, *fit_atoms(vectors[is_naming], n).encode(vectors))
    half = np.random.default_rng(SEED).permutation(len(vectors))[: len(vectors) // 2]
    cosines = atoms.directions @ fit_atoms(vectors[half], n, SEED).directions.T
    matched_cosines = cosines[linear_sum_assignment(-cosines)]
    return [
        Figure("papers", len(vectors), ""),
        Figure("features", n, ""),
        Figure("AUC of 0.8 or more", _n_passed(dictionary.features), "", *(("at least", TARGET) if is_whole else ())),
        Figure("names shown", len(dictionary.named_features), ""),
        Figure("median AUC", _median(dictionary.features), ""),
        Figure("chance: AUC of 0.8 or more", _n_by_chance(corpus, dictionary.features, dictionary.numbers), ""),
        Figure("blind fit: AUC of 0.8 or more", _n_passed(blind), ""),
        Figure("blind fit: median AUC", _median(blind), ""),
        Figure("stability: features found again", float((matched_cosines >= 0.8).sum()), ""),
        Figure("median papers of a feature", float(np.median([each.n_papers for each in dictionary.features])), ""),
        Figure("time to fit, name and test", seconds, "s"),
    ]


def _named_by(corpus: Corpus, numbers: NDArray[np.int16], strengths: Codes) -> tuple[Feature, ...]:
    n = int(numbers.max()) + 1
    return name_features(corpus.terms, corpus.papers, np.where(strengths > 0, numbers, -1).astype(np.int16), n)


def _n_passed(features: Sequence[Feature]) -> int:
    return sum(each.auc is not None and each.auc >= MIN_AUC for each in features)


def _median(features: Sequence[Feature]) -> float:
    return float(np.median([each.auc or 0.5 for each in features]))


def _n_by_chance(corpus: Corpus, features: Sequence[Feature], numbers: NDArray[np.int16]) -> int:
    """Count the names that would pass the test on another feature."""
    others = np.random.default_rng(SEED).permutation(len(features))
    exchanges = [
        replace(features[int(other)], number=place) for place, other in enumerate(others) if int(other) != place
    ]
    return _n_passed(name_features(corpus.terms, corpus.papers, numbers, len(features), exchanges))


def _dictionaries(corpus: Corpus, vectors: NDArray[np.float32]) -> list[Figure]:
    atoms = fit_atoms(vectors, min(200, len(vectors) // 25))
    units = directions_from(vectors, atoms.centre)
    makers: dict[str, Callable[[], Codes]] = {
        "k-means": lambda: units @ fit_atoms(vectors, len(atoms.directions)).directions.T,
        "k-sparse autoencoder": lambda: _autoencoder(units, atoms),
        "NMF": lambda: _factorisation(units, len(atoms.directions)),
    }
    figures = []
    for name, make in makers.items():
        start = time.perf_counter()
        codes = _largest(make(), atoms.n_active)
        seconds = time.perf_counter() - start
        numbers = np.argsort(-codes, axis=1, kind="stable")[:, : atoms.n_active].astype(np.int16)
        features = _named_by(corpus, numbers, np.take_along_axis(codes, numbers.astype(np.int64), axis=1))
        figures += [
            Figure(f"{name}: AUC of 0.8 or more", _n_passed(features), ""),
            Figure(f"{name}: median AUC", _median(features), ""),
            Figure(f"{name}: variance left by the codes", _residual(units, codes), ""),
            Figure(f"{name}: time of the fit", seconds, "s"),
        ]
    return figures


def _largest(codes: Codes, n_active: int) -> Codes:
    positive = np.maximum(codes, 0.0)
    least = np.partition(positive, -n_active, axis=1)[:, -n_active][:, None]
    return np.where(positive >= least, positive, 0.0).astype(np.float32)


def _residual(units: NDArray[np.float32], codes: Codes) -> float:
    """Return the share of the variance that the best linear decoder of the codes leaves unexplained."""
    gram = codes.T @ codes + 1e-3 * np.eye(codes.shape[1])
    return float(((units - codes @ np.linalg.solve(gram, codes.T @ units)) ** 2).sum(axis=1).mean())


def _autoencoder(units: NDArray[np.float32], atoms: Atoms) -> Codes:
    """Train an encoder, its bias and a decoder with unit rows; only the largest activations of a paper count."""
    generator = np.random.default_rng(SEED)
    decoder = generator.standard_normal(atoms.directions.shape).astype(np.float32)
    decoder /= np.linalg.norm(decoder, axis=1, keepdims=True)
    parts = [decoder, decoder.copy(), np.zeros(len(decoder), dtype=np.float32)]
    moments = [(np.zeros_like(part), np.zeros_like(part)) for part in parts]
    n_steps = 0
    for _ in range(N_EPOCHS):
        order = generator.permutation(len(units))
        for start in range(0, len(units), BATCH):
            batch = units[order[start : start + BATCH]]
            n_steps += 1
            codes = _largest(batch @ parts[1].T + parts[2], atoms.n_active)
            error = 2 * (codes @ parts[0] - batch) / len(batch)
            of_codes = (error @ parts[0].T) * (codes > 0)
            gradients = codes.T @ error, of_codes.T @ batch, of_codes.sum(axis=0)
            for part, gradient, moment in zip(parts, gradients, moments, strict=True):
                part[...] -= _adam_step(gradient, moment, n_steps)
            parts[0] /= np.linalg.norm(parts[0], axis=1, keepdims=True)
    return np.asarray(units @ parts[1].T + parts[2])


def _adam_step(gradient: Codes, moment: tuple[Codes, Codes], n_steps: int) -> Codes:
    """Update the moving averages of a gradient and of its square, and return the step (Kingma and Ba 2015)."""
    mean, square = moment
    mean[...] += 0.1 * (gradient - mean)
    square[...] += 0.001 * (gradient**2 - square)
    return RATE * mean / (1 - 0.9**n_steps) / (np.sqrt(square / (1 - 0.999**n_steps)) + 1e-8)


def _factorisation(units: NDArray[np.float32], n: int) -> Codes:
    both = np.hstack([np.maximum(units, 0.0), np.maximum(-units, 0.0)])
    model = MiniBatchNMF(n, init="nndsvda", random_state=SEED, batch_size=1024, max_iter=30)
    return np.asarray(model.fit_transform(both) * np.linalg.norm(model.components_, axis=1), dtype=np.float32)


if __name__ == "__main__":
    main()
