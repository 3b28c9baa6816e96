"""Compares the BM25 of a Milvus server with our own on judged questions.

    python -m benchmarks.server_words FOLDER... --uri URI [--corpus CORPUS]

Each FOLDER has queries.jsonl, qrels.tsv and a corpus.jsonl; where there is no corpus.jsonl, the papers of
CORPUS are searched. URI is the address of a server that has BM25 (Milvus 2.5 or later), or a `milvus-lite` file, such
as scratch.db. Both rank by words alone.
"""

import argparse
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.report import machine
from pathfinder.building import Silent
from pathfinder.corpus.store import open_corpus
from pathfinder.evaluation.collections import distinct_documents, read_judgements, read_questions
from pathfinder.evaluation.metrics import mean_scores, score_each
from pathfinder.index.milvus import CollectionName, Filterable, MilvusWords, read_collection, write_collection
from pathfinder.index.ports import WordIndex
from pathfinder.index.sparse import SparseIndex, write_sparse
from pathfinder.types import Paper

N_RANKED = 100
MEASURES = ("ndcg@10", "mrr@10", "success@10", "recall@100")


def measure(folder: Path, papers: Sequence[Paper], uri: str, scratch: Path) -> None:
    """Index `papers` in both ways, and print how well each index ranks them for the questions in `folder`."""
    texts, n = [paper.text for paper in papers], len(papers)
    write_sparse(iter(texts), scratch / "ours")
    # A server needs vectors too.
    vectors = np.zeros((n, 8), dtype=np.float32)
    vectors[:, 0] = 1.0
    fields = Filterable(
        np.full(n, np.nan), np.ones(n, dtype=np.bool_), texts=lambda rows: [texts[row] for row in rows.tolist()]
    )
    name, path = CollectionName(uri, f"words_{folder.name}"), scratch / "words.json"
    write_collection(name, scratch, vectors, fields, path, Silent().advance)
    ours = SparseIndex.open(scratch / "ours")
    theirs = MilvusWords(read_collection(path), ours)
    print(f"{folder.name}: {n:,} texts; {theirs.method()}")
    judgements = read_judgements(folder / "qrels.tsv")
    questions = {key: text for key, text in read_questions(folder / "queries.jsonl").items() if key in judgements}
    for who, index in (("ours", ours), ("the server's", theirs)):
        print(f"  {who:13}", _scores(index, questions, judgements, papers))


def _scores(
    index: WordIndex, questions: Mapping[str, str], judgements: Mapping[str, dict[str, int]], papers: Sequence[Paper]
) -> str:
    rankings, times = {}, []
    for key, text in questions.items():
        start = time.perf_counter()
        hits = index.search(text, N_RANKED)
        times.append(time.perf_counter() - start)
        rankings[key] = {
            papers[int(row)].paper_id: float(score) for row, score in zip(hits.rows, hits.scores, strict=True)
        }
    means = mean_scores(score_each({key: judgements[key] for key in questions}, rankings))
    return ", ".join([*(f"{name} {means[name]:.4f}" for name in MEASURES), f"median {1e3 * np.median(times):.1f} ms"])


def main() -> None:
    """Compare the two kinds of index on each collection given as an argument."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--uri", required=True)
    parser.add_argument("--corpus", type=Path)
    options = parser.parse_args()
    print(machine())
    for folder in options.folders:
        papers = (
            open_corpus(options.corpus).papers if options.corpus else distinct_documents(folder / "corpus.jsonl")[0]
        )
        with tempfile.TemporaryDirectory() as scratch:
            measure(folder, papers, options.uri, Path(scratch))


if __name__ == "__main__":
    main()
