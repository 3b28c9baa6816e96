"""Retrieval quality on five collections, with its targets, and the effect of each stage.

    python -m benchmarks.retrieval DATA [--cache DIR] [--methods default,tfidf,bm25,dense,hybrid] [--json FILE]
        [--tokens small]
    python -m benchmarks.retrieval DATA --ablation benchmarks/RETRIEVAL.md [--cache DIR] [--corpora DIR]

DATA contains `retrieval/`, with one folder per collection in BEIR's layout, and `corpora/`, with the papers of
astro_single_paper. With `--cache`, the vectors of the documents are kept for the next run. `--ablation` compares every
stage that needs no key with `hybrid` (fusion alone), and writes the tables between the markers of a file; with
`--corpora`, a corpus built in DIR/COLLECTION replaces the documents of that collection and provides a thesaurus.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.ablation import ABLATION, write_tables
from benchmarks.report import Figure, machine, print_figures
from pathfinder.cli.progress import build_progress
from pathfinder.corpus.manifest import is_corpus
from pathfinder.index.token_codecs import TokenForm
from pathfinder.models.minilm import MiniLM
from pathfinder.operations.evaluation.methods import DEFAULT_METHODS
from pathfinder.operations.evaluation.run import CollectionReport, evaluate_collection


@dataclass(frozen=True)
class Trial:
    """A collection, and the targets for the default search on it."""

    collection: str
    targets: Mapping[str, float]
    qrels: str | None = None
    corpus: str | None = None


TRIALS = (
    Trial("cacm", {"ndcg@10": 0.583}),
    Trial("scifact", {"ndcg@10": 0.745, "recall@100": 0.95}, qrels="qrels_beir_test.tsv"),
    Trial("cisi", {"ndcg@10": 0.495}),
    Trial("scholarqa_multi_closed", {"ndcg@10": 0.68}),
    Trial("astro_single_paper", {"success@10": 0.94, "mrr@10": 0.79}, corpus="corpora/astroph_2025_2026.jsonl.gz"),
)


def measure(
    trial: Trial,
    methods: Sequence[str],
    data: Path,
    corpora: Path | None,
    cache: Path | None,
    tokens: TokenForm = "full",
) -> CollectionReport:
    """Evaluate every method on one collection."""
    folder = data / "retrieval" / trial.collection
    documents = data / trial.corpus if trial.corpus else None
    if corpora is not None and is_corpus(corpora / trial.collection):
        documents = corpora / trial.collection
    with build_progress() as progress:
        report = evaluate_collection(
            folder,
            MiniLM(),
            corpus=documents,
            judgements=folder / trial.qrels if trial.qrels else None,
            methods=methods,
            cache=cache,
            progress=progress,
            tokens=tokens,
        )
    for note in report.notes:
        print(f"{trial.collection}: {note}")
    return report


def figures(trial: Trial, report: CollectionReport) -> list[Figure]:
    """Return the means of every method, with the targets for those of `default`."""
    record = report.record()
    comparison = [
        _figure(trial, method, name, value)
        for method, scores in record["methods"].items()
        for name, value in scores.items()
    ]
    medians = record["median_seconds"].items()
    return comparison + [
        Figure(f"{trial.collection}, {name}: median a question", value, "s") for name, value in medians
    ]


def _figure(trial: Trial, method: str, measure: str, value: float) -> Figure:
    name = f"{trial.collection}, {method}: {measure}"
    target = trial.targets.get(measure) if method == "default" else None
    return Figure(name, value, "s" if measure == "seconds" else "", "at least" if target else None, target)


def main() -> None:
    """Measure how well the search ranks papers for the collections in the folder given as an argument."""
    parser = argparse.ArgumentParser(description="How well the search ranks the five shared collections.")
    parser.add_argument("data", type=Path, help="folder with retrieval/ and corpora/")
    parser.add_argument("--cache", type=Path, help="keeps the vectors of the documents")
    parser.add_argument("--corpora", type=Path, help="corpora that were built, each called like its collection")
    parser.add_argument("--methods", help="names with commas between them, each compared with the first")
    parser.add_argument("--collections", default=",".join(trial.collection for trial in TRIALS))
    parser.add_argument("--tokens", choices=("full", "small"), default="full", help="form of the token vectors")
    parser.add_argument("--ablation", type=Path, metavar="FILE", help="write the tables of all stages into FILE")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    machine_line = machine()
    print(machine_line)
    methods = arguments.methods.split(",") if arguments.methods else ABLATION if arguments.ablation else DEFAULT_METHODS
    reports: dict[str, CollectionReport] = {}
    results: list[Figure] = []
    for trial in TRIALS:
        if trial.collection in arguments.collections.split(","):
            report = measure(trial, methods, arguments.data, arguments.corpora, arguments.cache, arguments.tokens)
            reports[trial.collection] = report
            results += figures(trial, report)
    if arguments.ablation:
        write_tables(reports, machine_line, arguments.ablation)
    if arguments.json or not arguments.ablation:
        print_figures(results, arguments.json)


if __name__ == "__main__":
    main()
