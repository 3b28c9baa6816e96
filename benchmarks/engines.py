"""Compares searches of a corpus's vectors in a file with searches of the same vectors on a Milvus server.

    python -m benchmarks.engines CORPUS QUESTIONS.jsonl --uri URI [--papers N] [--scratch DIR] [--json FILE]

QUESTIONS has one JSON object per line, with a `text`. The vectors of CORPUS, which must be in a file, are copied into a
collection called "benchmark" on the server at URI, and both the file and the server are asked for the best
1,000 papers for each question. With --papers, the papers of CORPUS are first repeated with noise on their vectors
(`repeated.py`). Targets at 16,659 papers: the same best ten for 95% of 120 questions, and 99% of the best 1,000 found.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.repeated import repeat
from benchmarks.report import Figure, machine, print_figures
from pathfinder.building import Silent
from pathfinder.corpus.store import open_corpus
from pathfinder.index.milvus import CollectionName, VectorsOf, read_collection, write_collection
from pathfinder.index.milvus.collection import Filterable
from pathfinder.index.ports import VectorIndex
from pathfinder.models.minilm import MiniLM

N_BEST, N_FIRST = 1_000, 10
CALLERS = (1, 4, 16)


def measure(corpus_folder: Path, questions: Sequence[str], uri: str) -> list[Figure]:
    """Copy the vectors to the server, and search both the file and the server."""
    corpus = open_corpus(corpus_folder)
    rows = np.arange(len(corpus.papers), dtype=np.int64)
    vectors = VectorsOf(corpus.dense)
    fields = Filterable(corpus.papers.years(), corpus.papers.has_abstract())
    query_vectors = list(MiniLM().embed(list(questions), "query"))
    with tempfile.TemporaryDirectory() as scratch:
        path, start = Path(scratch) / "dense.json", time.perf_counter()
        write_collection(CollectionName(uri, "benchmark"), Path(scratch), vectors, fields, path, Silent().advance)
        filling, start = time.perf_counter() - start, time.perf_counter()
        collection = read_collection(path, corpus.papers)
        opening = time.perf_counter() - start
    of_file = [corpus.dense.search(vector, N_BEST).rows for vector in query_vectors]
    of_server = [collection.search(vector, N_BEST).rows for vector in query_vectors]
    share = [len(np.intersect1d(a, b)) / len(a) for a, b in zip(of_file, of_server, strict=True)]
    first = [np.array_equal(a[:N_FIRST], b[:N_FIRST]) for a, b in zip(of_file, of_server, strict=True)]
    return [
        Figure("papers", len(rows), ""),
        Figure("filling the collection, with its index", filling, "s"),
        Figure("opening the collection", opening, "s"),
        Figure(
            f"best {N_FIRST} equal, share of {len(query_vectors)} questions",
            float(np.mean(first)),
            "",
            "at least",
            0.95,
        ),
        Figure(f"best {N_BEST:,} found, mean", float(np.mean(share)), "", "at least", 0.99),
        Figure(f"best {N_BEST:,} found, worst question", min(share), ""),
        *_times("file", corpus.dense, query_vectors),
        *_times("server", collection, query_vectors),
        Figure("server: vectors of 1,000 papers", 1e3 * _seconds_for_vectors(collection, rows[:N_BEST]), "ms"),
        *_throughputs("file", corpus.dense, query_vectors),
        *_throughputs("server", collection, query_vectors),
    ]


def _times(name: str, index: VectorIndex, vectors: Sequence[NDArray[np.float32]]) -> list[Figure]:
    times = []
    for vector in vectors:
        start = time.perf_counter()
        index.search(vector, N_BEST)
        times.append(time.perf_counter() - start)
    return [
        Figure(f"{name}: best {N_BEST:,}, median", 1e3 * float(np.median(times)), "ms"),
        Figure(f"{name}: best {N_BEST:,}, 95th percentile", 1e3 * float(np.percentile(times, 95)), "ms"),
    ]


def _seconds_for_vectors(index: VectorIndex, rows: NDArray[np.int64]) -> float:
    start = time.perf_counter()
    index.vectors(rows)
    return time.perf_counter() - start


def _throughputs(name: str, index: VectorIndex, vectors: Sequence[NDArray[np.float32]]) -> list[Figure]:
    return [Figure(f"{name}: searches a second, {n} callers", _throughput(index, vectors, n), "") for n in CALLERS]


def _throughput(index: VectorIndex, vectors: Sequence[NDArray[np.float32]], n_callers: int) -> float:
    with ThreadPoolExecutor(n_callers) as callers:
        start = time.perf_counter()
        list(callers.map(lambda vector: index.search(vector, N_BEST), vectors))
        return len(vectors) / (time.perf_counter() - start)


def main() -> None:
    """Make the measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--uri", required=True)
    parser.add_argument("--papers", type=int, help="repeat the papers of CORPUS up to this number")
    parser.add_argument("--scratch", type=Path, help="folder for them; the system's temporary one by default")
    parser.add_argument("--json", type=Path, dest="json_path")
    options = parser.parse_args()
    lines = options.questions.read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["text"] for line in lines if line.strip()][:120]
    print(machine())
    with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
        corpus = options.corpus
        if options.papers is not None:
            corpus = Path(scratch) / "repeated"
            repeat(options.corpus, options.papers, corpus, left_out={"tokens", "passages", "titles"})
        print_figures(measure(corpus, questions, options.uri), options.json_path)


if __name__ == "__main__":
    main()
