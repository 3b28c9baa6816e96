"""Fit the prediction of token vectors: python -m benchmarks.token_prediction DATA [--without SET] [--out FILE.npz].

The papers of three sets, and the landmark papers of this repository, are read as in a build: in 8 bits, and in a
second window where the first is too short. For 30,000 tokens of each set, ridge regression predicts the projected
vector from the word (the model's own vector for it) and from the vector of the paper. The contribution of the words is
rounded to a byte in each of its 128 strongest directions. The axes of what remains of the vectors are rotated and
divided into blocks of equal variance (Ge et al. 2013, doi:10.1109/CVPR.2013.379), and k-means finds 256 vectors for
each block. Prints the mean cosine between tokens and their stored form. The prediction that ships was written by this
command without `--without`; with it, a set is left out so that the search can be evaluated on that set.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans

from pathfinder.building.passage_maker import PassageMaker, for_papers
from pathfinder.index.token_codecs import MAX_SMALL_TOKENS, Prediction, blocks_of, write_prediction
from pathfinder.index.tokens import packaged_projection
from pathfinder.models.minilm import MiniLM, weights_folder
from pathfinder.models.model_folder import ModelFolder
from pathfinder.operations.evaluation.collections import distinct_documents
from pathfinder.types import Paper

SETS = ("cisi", "cacm", "scholarqa_multi_closed")
LANDMARKS = Path(__file__).parents[1] / "data" / "landmarks.jsonl"
WORDS = "embeddings.word_embeddings.weight"
TOKENS_PER_SET, BATCH, RANK, N_BLOCKS, SEED = 30_000, 64, 128, 7, 1


class Sample(NamedTuple):
    """Tokens drawn from a set of papers."""

    vectors: NDArray[np.float32]
    """Projected vectors, shape (n, d)."""
    words: NDArray[np.int32]
    papers: NDArray[np.float32]
    """Vector of the paper to which each token belongs, shape (n, m)."""


@dataclass(frozen=True)
class Recorder:
    """Keeps the tokens of papers, standing in for a codec that would encode them."""

    papers: list[Sample] = field(default_factory=list)
    n_bytes: int = 1
    room: int = MAX_SMALL_TOKENS
    counts_sentences: bool = True

    def encode(
        self, vectors: NDArray[np.float32], words: NDArray[np.int32], paper: NDArray[np.float32]
    ) -> NDArray[np.uint8]:
        """Keep the tokens of a paper."""
        self.papers.append(Sample(vectors, words, np.broadcast_to(paper, (len(words), len(paper)))))
        return np.zeros((len(words), self.n_bytes), dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class Reader(PassageMaker):
    """Reads papers as in a build."""

    codec: Recorder = field(default_factory=Recorder)


def main() -> None:
    """Read the papers, fit the prediction, print the figures, and write the prediction if a file is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--without", choices=SETS, help="set that is left out")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    model = MiniLM()
    files = [options.data / "retrieval" / name / "corpus.jsonl" for name in SETS if name != options.without]
    sample = join_samples([sample_of(model, distinct_documents(path)[0]) for path in (*files, LANDMARKS)])
    prediction = fit(sample, packaged_projection(model.dimension))
    print(f"mean cosine of a token with its stored form: {fidelity(prediction, sample):.4f}")
    if options.out:
        write_prediction(prediction, options.out)


def sample_of(model: MiniLM, papers: Sequence[Paper]) -> Sample:
    """Draw tokens at random from all `papers` together."""
    reader = Reader(for_papers(model), packaged_projection(model.dimension))
    for first in range(0, len(papers), BATCH):
        some = papers[first : first + BATCH]
        for _ in reader.records(some, *reader.embedder.embed_with_tokens([paper.text for paper in some], "document")):
            pass
    own = reader.codec.papers
    lengths = [len(paper.words) for paper in own]
    is_chosen = np.zeros(sum(lengths), dtype=np.bool_)
    is_chosen[np.random.default_rng(SEED).permutation(len(is_chosen))[:TOKENS_PER_SET]] = True
    masks = np.split(is_chosen, np.cumsum(lengths)[:-1])
    return join_samples([Sample(*(column[some] for column in paper)) for paper, some in zip(own, masks, strict=True)])


def join_samples(samples: list[Sample]) -> Sample:
    """Concatenate samples."""
    return Sample(*(np.concatenate(columns) for columns in zip(*samples, strict=True)))


def fit(sample: Sample, projection: NDArray[np.float32], n_blocks: int = N_BLOCKS, rank: int = RANK) -> Prediction:
    """Fit all the maps to `sample`, which was projected by `projection`."""
    own = ModelFolder(weights_folder()).tensors("model.safetensors")[WORDS]
    own /= np.linalg.norm(own, axis=1, keepdims=True)
    predictors = np.concatenate([own[sample.words], sample.papers], axis=1)
    moment = predictors.T @ predictors + np.eye(predictors.shape[1])
    maps = np.linalg.solve(moment, predictors.T @ sample.vectors).astype(np.float32)
    of_words, of_papers = own @ maps[: own.shape[1]], maps[own.shape[1] :]
    counts = 1 + np.bincount(sample.words, minlength=len(own))
    _, directions = np.linalg.eigh(of_words.T @ (of_words * counts[:, np.newaxis]))
    strongest = directions[:, -rank:].astype(np.float32)
    coordinates = of_words @ strongest
    step = np.abs(coordinates).max(axis=0) / 127
    words, basis = np.round(coordinates / step).astype(np.int8), step[:, np.newaxis] * strongest.T
    rest = sample.vectors - words[sample.words].astype(np.float32) @ basis - sample.papers @ of_papers
    rotation = balance(rest, n_blocks)
    books = np.concatenate(
        [centres((rest @ rotation)[:, columns]) for columns in blocks_of(rest.shape[1], n_blocks)], axis=1
    )
    return Prediction(projection @ rotation, words, basis @ rotation, of_papers @ rotation, books, n_blocks)


def balance(rest: NDArray[np.float32], n_blocks: int) -> NDArray[np.float32]:
    """Return the rotation to the principal axes, in blocks with nearly the same product of variances."""
    variances, axes = np.linalg.eigh(rest.T @ rest)
    widths = [columns.stop - columns.start for columns in blocks_of(len(variances), n_blocks)]
    sizes, room = np.zeros(n_blocks), [[] for _ in range(n_blocks)]
    for axis in np.argsort(-variances):
        free = [block for block in range(n_blocks) if len(room[block]) < widths[block]]
        block = min(free, key=lambda block: sizes[block])
        room[block].append(axis)
        sizes[block] += np.log(variances[axis] / variances.min())
    return axes[:, np.concatenate(room)].astype(np.float32)


def centres(block: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the 256 centres found by k-means, shape (256, width of the block)."""
    means = KMeans(256, n_init=1, max_iter=25, random_state=SEED).fit(block)
    return np.asarray(means.cluster_centers_, dtype=np.float32)


def fidelity(prediction: Prediction, sample: Sample) -> float:
    """Return the mean cosine between vectors and their stored form, over at most 5,000 tokens of `sample`."""
    some = np.random.default_rng(SEED).permutation(len(sample.words))[:5000]
    rotation = np.linalg.lstsq(packaged_projection(len(prediction.projection)), prediction.projection, rcond=None)[0]
    vectors, words, papers = sample.vectors[some] @ rotation, sample.words[some], sample.papers[some]
    codes = np.concatenate([prediction.encode(vectors[[row]], words[[row]], papers[row]) for row in range(len(some))])
    vectors_read = prediction.decode(codes, words, papers, np.ones(len(some), dtype=np.int64))
    cosines = np.einsum("ij,ij->i", vectors, vectors_read) / np.linalg.norm(vectors_read, axis=1)
    return float((cosines / np.linalg.norm(vectors, axis=1)).mean())


if __name__ == "__main__":
    main()
