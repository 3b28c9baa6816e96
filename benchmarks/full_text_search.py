"""Measures, with made-up passages, the size of an index of full-text passages and the time that a search in it takes.

    python -m benchmarks.full_text_search [--passages 100000] [--a-paper 40] [--json FILE]

Vectors are random directions; texts have 140 words from a vocabulary of 50,000, drawn according to Zipf's law. A search
finds the best 1,000 passages by meaning and the best 1,000 by words, compares all of them with the question, and reads
the best three of each paper, as `retrieval/lookup/full_texts.py` and `candidates.py` do. A question has six words, two
of them among the 100 most frequent.
"""

import argparse
import json
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np

from benchmarks.report import machine
from pathfinder.index.full_texts import FullTextIndex, OwnedPassage, write_full_text_index
from pathfinder.index.sparse import SparseIndex, write_sparse
from pathfinder.types import POOL_SIZE, FullTextPassage, SectionKind

DIMENSION, LIMIT = 384, 0.25
N_WORDS, N_VOCABULARY, N_QUESTIONS = 140, 50_000, 50


def main() -> None:
    """Measure, and print the figures as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--a-paper", type=int, default=40)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with TemporaryDirectory() as scratch:
        figures = measure(options.passages, options.a_paper, Path(scratch)) | {"machine": machine()}
    print(json.dumps(figures, indent=1))
    if options.json:
        options.json.write_text(json.dumps(figures), encoding="utf-8")


def measure(n_passages: int, per_paper: int, folder: Path) -> dict[str, object]:
    """Make an index in `folder`, and return its size and the times taken by searches in it."""
    random = np.random.default_rng(7)
    passages = [_passage(n, per_paper, random) for n in range(n_passages)]
    batches = (_directions(random, min(1000, n_passages - start)) for start in range(0, n_passages, 1000))
    start = perf_counter()
    write_full_text_index(passages, batches, DIMENSION, folder / "index", "made", LIMIT)
    seconds = perf_counter() - start
    write_sparse((passage.passage.text for passage in passages[:1000]), folder / "papers")
    n_papers, papers = -(-n_passages // per_paper), SparseIndex.open(folder / "papers")
    index = FullTextIndex.open(folder / "index", lambda ids: np.arange(len(ids)), n_papers)
    times = [_search(index, papers, random) for _ in range(N_QUESTIONS)]
    clock, processor = ([time[part] for time in times] for part in (0, 1))
    n_bytes = sum(path.stat().st_size for path in (folder / "index").iterdir())
    return {
        "passages": n_passages,
        "bytes a passage": n_bytes / n_passages,
        "seconds to write": seconds,
        "median ms of a search": 1000 * median(clock),
        "median ms of processor time": 1000 * median(processor),
        "slowest ms": 1000 * max(clock),
    }


def _passage(number: int, per_paper: int, random: np.random.Generator) -> OwnedPassage:
    text = f"{' '.join(_words(random, N_WORDS))}."
    return OwnedPassage(
        f"paper-{number // per_paper:07d}",
        FullTextPassage(text, "2. Methods", SectionKind.METHOD, 4, number % 8, 0, 1, 0, len(text)),
    )


def _words(random: np.random.Generator, n: int) -> list[str]:
    ranks = np.exp(random.random(n) * np.log(N_VOCABULARY)).astype(int)
    return [f"w{_letters(int(rank))}x" for rank in ranks]


def _letters(number: int) -> str:
    return "".join(chr(97 + int(digit)) for digit in str(number))


def _directions(random: np.random.Generator, n: int) -> np.ndarray:
    vectors = random.standard_normal((n, DIMENSION)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _search(index: FullTextIndex, papers: SparseIndex, random: np.random.Generator) -> tuple[float, float]:
    """Return the time in seconds that a search for a made-up question takes, by the clock and in CPU time."""
    vector = _directions(random, 1)[0]
    frequent = [f"w{_letters(int(rank))}x" for rank in random.integers(10, 100, 2)]
    question = " ".join([*frequent, *(f"w{_letters(int(rank))}x" for rank in random.integers(100, 50_000, 4))])
    start, start_of_processor = perf_counter(), process_time()
    near = index.by_meaning(vector, POOL_SIZE, None).rows
    by_words = index.by_words(question, POOL_SIZE, None, papers).rows
    places = np.union1d(near, by_words)
    cosines = np.einsum("ij,j->i", index.vectors_at(places), vector, dtype=np.float64)
    order = np.lexsort((-cosines, index.papers[places]))
    owners = index.papers[places][order]
    best = order[np.arange(len(order)) - np.searchsorted(owners, owners) < 3]
    index.passages(places[best], cosines[best])
    return perf_counter() - start, process_time() - start_of_processor


if __name__ == "__main__":
    main()
