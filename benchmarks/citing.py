"""Measures what citations between papers add to a search, on cacm.

    python -m benchmarks.citing DATA [--cache DIR] [--all-edges]

DATA contains `retrieval/cacm`, whose documents list their references. The people who judged the documents may have
followed references, so references between two judged documents are left out; `--all-edges` keeps them, to show how much
of the gain they would account for. With `--cache`, the vectors of the documents are kept for the next run.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.ablation import table_lines
from benchmarks.report import machine
from pathfinder.cli.progress import build_progress
from pathfinder.evaluation.collections import Collection, read_collection
from pathfinder.evaluation.report import CollectionReport
from pathfinder.evaluation.run import evaluate_collection
from pathfinder.models.minilm import MiniLM

SETTINGS = ("cited", "cited-by-hits", "citing-hits", "cited-by-hits+citing-hits")
METHODS = {base: (base, *(f"{base}+{setting}" for setting in SETTINGS)) for base in ("hybrid", "rerank")}
"""Methods, keyed by the search without citations with which they are compared."""


def documents(collection: Collection, keeps_all: bool) -> Iterator[tuple[str, int]]:
    """Yield each document as a line of JSON, and the number of references left out of it. References between judged
    documents are left out, unless `keeps_all` is true.
    """
    judged_documents = {document for grades in collection.judgements.values() for document in grades}
    with collection.corpus.open(encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            names = record["references"]
            is_open = keeps_all or record["_id"] not in judged_documents
            references = [name for name in names if is_open or name not in judged_documents]
            yield json.dumps({**record, "references": references}), len(names) - len(references)


def measure(folder: Path, cache: Path | None, keeps_all: bool) -> Iterator[CollectionReport]:
    """Evaluate every method, with and without the reranker."""
    with TemporaryDirectory(prefix="pathfinder-") as scratch, build_progress() as progress:
        corpus = Path(scratch) / "corpus.jsonl"
        lines = list(documents(read_collection(folder), keeps_all))
        corpus.write_text("\n".join(line for line, _ in lines) + "\n", encoding="utf-8")
        n_left_out = sum(n for _, n in lines)
        n_kept = sum(len(json.loads(line)["references"]) for line, _ in lines)
        print(f"references: {n_kept} used, {n_left_out} between judged documents left out")
        for methods in METHODS.values():
            yield evaluate_collection(folder, MiniLM(), corpus=corpus, methods=methods, cache=cache, progress=progress)


def main() -> None:
    """Measure what citations add on cacm."""
    parser = argparse.ArgumentParser(description="What citations between papers add to a search.")
    parser.add_argument("data", type=Path, help="folder with retrieval/cacm")
    parser.add_argument("--cache", type=Path, help="keeps the vectors of the documents")
    parser.add_argument("--all-edges", action="store_true", help="keep references between judged documents")
    arguments = parser.parse_args()
    for report in measure(arguments.data / "retrieval" / "cacm", arguments.cache, arguments.all_edges):
        print("\n".join(table_lines({report.collection: report}, machine())))


if __name__ == "__main__":
    main()
