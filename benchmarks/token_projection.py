"""Make the projection of token vectors: python -m benchmarks.token_projection DATA [--papers N] [--out FILE.npy].

The local model reads the first N papers of each of four sets. Its token vectors, normalised to length 1, go through
a principal component analysis without centring (so that dot products stay dot products); the first 256 components are
kept, and a random rotation spreads the variance evenly over them, because each is stored in two bits. Prints the share
of the vectors' squared length that is kept, by this projection and by the one that ships with the package.
"""

import argparse
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.local_reranker import ASTRO
from pathfinder.corpus.readers import read_papers
from pathfinder.index.tokens import packaged_projection
from pathfinder.models.minilm import MiniLM
from pathfinder.types import Paper

KEPT_DIMENSIONS, BATCH = 256, 64
SETS = ("scifact", "cisi", "scholarqa_multi_closed", "astro_single_paper")


def main() -> None:
    """Read the papers, project their tokens, print the figures, and write the projection if a file is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--papers", type=int, default=2000)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    model = MiniLM()
    moment = sum((second_moment(model, papers_of(options.data, name, options.papers)) for name in SETS), np.zeros(()))
    projection = projection_of(moment)
    print(f"length kept by the projection made here: {length_kept(moment, projection):.4f}")
    own_projection = packaged_projection(model.dimension)
    if own_projection is not None:
        print(f"length kept by the one that ships:       {length_kept(moment, own_projection):.4f}")
    if options.out:
        np.save(options.out, projection.astype(np.float16), allow_pickle=False)


def papers_of(data: Path, name: str, n_papers: int) -> Iterator[Paper]:
    """Yield the first papers of one set."""
    source = data / ASTRO if name.startswith("astro") else data / "retrieval" / name / "corpus.jsonl"
    papers = (item for item in read_papers(source) if isinstance(item, Paper))
    return islice(papers, n_papers)


def second_moment(model: MiniLM, papers: Iterator[Paper]) -> NDArray[np.float64]:
    """Return the mean of v v^T over the unit vectors of all tokens, shape (dimension, dimension)."""
    total, n_tokens = np.zeros((model.dimension, model.dimension)), 0
    while texts := [paper.text for paper in islice(papers, BATCH)]:
        for tokens in model.embed_tokens(texts):
            vectors = tokens.vectors.astype(np.float64)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            total += vectors.T @ vectors
            n_tokens += len(vectors)
    return total / max(n_tokens, 1)


def projection_of(moment: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the strongest directions after a seeded rotation, shape (dimension, 256)."""
    _, directions = np.linalg.eigh(moment)
    rotation, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(KEPT_DIMENSIONS, KEPT_DIMENSIONS)))
    return np.asarray(directions[:, -KEPT_DIMENSIONS:] @ rotation)


def length_kept(moment: NDArray[np.float64], projection: NDArray[np.floating]) -> float:
    """Return the mean squared length of the projections, for vectors of length 1."""
    return float(np.trace(projection.T @ moment @ projection) / np.trace(moment))


if __name__ == "__main__":
    main()
