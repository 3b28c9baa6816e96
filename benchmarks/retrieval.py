"""How well the search ranks the four shared collections, beside what it is to reach.

    python -m benchmarks.retrieval DATA [--cache DIR] [--methods default,tfidf,bm25,dense,hybrid] [--json FILE]

DATA holds `retrieval/` with one folder a collection, in BEIR's layout, and `corpora/`, where the papers of
astro_single_paper lie. With `--cache` the vectors of the documents are kept for the next run.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import Figure, machine, print_figures
from pathfinder.cli_progress import build_progress
from pathfinder.evaluation.methods import METHODS
from pathfinder.evaluation.run import evaluate_collection
from pathfinder.models.minilm import MiniLM


@dataclass(frozen=True)
class Trial:
    """A collection, and what the search with default settings is to reach on it."""

    collection: str
    targets: Mapping[str, float]
    qrels: str | None = None
    corpus: str | None = None


TRIALS = (
    Trial("scifact", {"ndcg@10": 0.735, "recall@100": 0.95}, qrels="qrels_beir_test.tsv"),
    Trial("cisi", {"ndcg@10": 0.45}),
    Trial("scholarqa_multi_closed", {"ndcg@10": 0.655}),
    Trial("astro_single_paper", {"success@10": 0.88, "mrr@10": 0.66}, corpus="corpora/astroph_2025_2026.jsonl.gz"),
)


def measure(trial: Trial, data: Path, methods: Sequence[str], cache: Path | None) -> list[Figure]:
    """The figures of every method on one collection."""
    folder = data / "retrieval" / trial.collection
    with build_progress() as progress:
        report = evaluate_collection(
            folder,
            MiniLM(),
            corpus=data / trial.corpus if trial.corpus else None,
            judgements=folder / trial.qrels if trial.qrels else None,
            methods=methods,
            cache=cache,
            progress=progress,
        )
    for note in report.notes:
        print(f"{trial.collection}: {note}")
    return [
        _figure(trial, method, name, value)
        for method, scores in report.record()["methods"].items()
        for name, value in scores.items()
    ]


def _figure(trial: Trial, method: str, measured: str, value: float) -> Figure:
    name = f"{trial.collection}, {method}: {measured}"
    target = trial.targets.get(measured) if method == "default" else None
    return Figure(name, value, "s" if measured == "seconds" else "", "at least" if target else None, target)


def main() -> None:
    """Measure the collections in the folder that the arguments name."""
    parser = argparse.ArgumentParser(description="How well the search ranks the four shared collections.")
    parser.add_argument("data", type=Path, help="folder with retrieval/ and corpora/")
    parser.add_argument("--cache", type=Path, help="keeps the vectors of the documents")
    parser.add_argument("--methods", default=",".join(METHODS), help="names with commas between them")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(machine())
    methods = arguments.methods.split(",")
    figures = [figure for trial in TRIALS for figure in measure(trial, arguments.data, methods, arguments.cache)]
    print_figures(figures, arguments.json)


if __name__ == "__main__":
    main()
