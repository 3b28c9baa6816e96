"""Work saved by active learning, how well the stopping rule keeps its promise, and how long it takes to fit the model
again.

    python -m benchmarks.screening DATA [--cache DIR] [--collections cisi,cacm] [--json FILE]
    python -m benchmarks.screening DATA --development DIR [--cache DIR] [--json FILE]
    python -m benchmarks.screening DATA --speed CORPUS

DATA contains `retrieval/`, with one folder per collection in BEIR's layout, and `corpora/`. `--development` makes the
questions on which the rules and parameters were chosen, writes them to DIR and measures these instead: keywords of
papers on astronomy, and arXiv categories of papers on computer science. `--speed` times the work on a pool of 20,000
papers of a built corpus.
"""

import argparse
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.report import Figure, machine, print_figures
from pathfinder.addons.screening.pool import fit, make_pool, reading_order
from pathfinder.addons.screening.simulation import evaluate_screening
from pathfinder.addons.screening.stopping import ODDS, Promise
from pathfinder.cli.progress import build_progress
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.store import open_corpus
from pathfinder.models.minilm import MiniLM
from pathfinder.retrieval.stages import Models

COLLECTIONS = ("cisi", "cacm", "scholarqa_multi_closed")
LEAST_GAIN, LEAST_KEPT, MOST_SECONDS = 0.10, 0.90, 0.3

FEWEST, MOST = 8, 130
"""Permitted number of papers for a keyword or category that serves as a question."""
N_SAMPLE = 3000
N_SPEED = 20_000
CATEGORIES = {
    "cs.HC": "Human-computer interaction",
    "cs.IT": "Information theory",
    "cs.RO": "Robotics",
    "cs.IR": "Information retrieval",
    "math.NA": "Numerical analysis",
    "cs.SD": "Sound and audio",
    "cs.MA": "Multiagent systems",
    "cs.CY": "Computers and society",
    "eess.IV": "Image and video processing",
    "cs.CR": "Cryptography and security",
    "cs.GR": "Computer graphics",
    "cs.MM": "Multimedia",
    "cs.SE": "Software engineering",
    "math.OC": "Optimization and control",
    "eess.SY": "Systems and control",
    "cs.GT": "Game theory",
    "cs.DM": "Discrete mathematics",
    "stat.ME": "Statistical methodology",
    "cs.DC": "Distributed and parallel computing",
    "quant-ph": "Quantum physics",
    "math.PR": "Probability",
    "math.CO": "Combinatorics",
    "cs.NI": "Networking and internet architecture",
    "cs.NE": "Neural and evolutionary computing",
    "cs.SI": "Social and information networks",
    "cs.DB": "Databases",
    "q-fin.CP": "Computational finance",
    "cs.DS": "Data structures and algorithms",
    "cs.LO": "Logic in computer science",
    "q-bio.NC": "Neurons and cognition",
    "cs.AR": "Hardware architecture",
}
"""Names of the arXiv categories that serve as questions."""

Records = list[dict[str, object]]


def figures(record: dict[str, Any]) -> Iterator[Figure]:
    """Yield the figures of one collection, with their targets."""
    name, gain, stop = record["collection"], record["differences"]["ranking"], record["stop"]
    yield Figure(f"{name}: questions", record["n_questions"], "")
    for method, of_method in record["methods"].items():
        for measure, value in of_method.items():
            low, high = record["intervals"][method][measure]
            yield Figure(f"{name}, {method}: {measure} [{low:.3f}, {high:.3f}]", value, "")
    yield Figure(
        f"{name}: wss@95 gained over the ranking [{gain['low']:.3f}, {gain['high']:.3f}]",
        gain["mean"],
        "",
        "at least",
        LEAST_GAIN,
    )
    yield Figure(f"{name}: promise of the stopping rule kept", float(stop["reached"]), "", "at least", LEAST_KEPT)  # type: ignore[arg-type]
    for measure in ("work", "mean_recall", "lowest_recall"):
        yield Figure(f"{name}: {measure} at the stop", float(stop[measure]), "")  # type: ignore[arg-type]


def _records(path: Path) -> Records:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_development(data: Path, out: Path) -> list[Path]:
    """Write the two development collections to `out`, and return their folders."""
    astro = [row for row in _records(data / "corpora" / "astroph_2025_2026.jsonl.gz") if row["keywords"]]
    computing = _records(data / "corpora" / "arxiv_cs_108k.jsonl.gz")
    rows = np.random.default_rng(1).choice(len(computing), N_SAMPLE, replace=False)
    sample = [computing[row] for row in sorted(rows)]
    general = ("method", "technique")  # keywords such as "methods: numerical" say nothing about a paper's subject
    keywords = _papers_by(astro, "keywords")
    chosen_topics = {name: ids for name, ids in keywords.items() if not name.startswith(general)}
    return [
        _write(out / "astro_keywords", astro, {name.replace(": ", ", "): ids for name, ids in chosen_topics.items()}),
        _write(
            out / "cs_categories",
            sample,
            {CATEGORIES[name]: ids for name, ids in _papers_by(sample, "categories").items() if name in CATEGORIES},
        ),
    ]


def _papers_by(papers: Records, field: str) -> dict[str, set[str]]:
    ids_of: dict[str, set[str]] = defaultdict(set)
    for paper in papers:
        for name in paper[field]:  # type: ignore[attr-defined]
            ids_of[name if field == "categories" else name.lower()].add(str(paper["id"]))
    return dict(sorted(ids_of.items()))


def _write(folder: Path, papers: Records, questions: Mapping[str, set[str]]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    documents = [{"_id": paper["id"], "title": paper["title"], "text": paper["abstract"]} for paper in papers]
    used_questions = {name: ids for name, ids in questions.items() if FEWEST <= len(ids) <= MOST}
    queries = [{"_id": f"q{n}", "text": name} for n, name in enumerate(used_questions)]
    for name, rows in (("corpus.jsonl", documents), ("queries.jsonl", queries)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    judgements = "".join(
        f"q{n}\t{paper}\t1\n" for n, ids in enumerate(used_questions.values()) for paper in sorted(ids)
    )
    (folder / "qrels.tsv").write_text(judgements, encoding="utf-8")
    return folder


def speed(folder: Path) -> Iterator[Figure]:
    """Measure how long it takes to fit the model again and to order 20,000 papers."""
    corpus = open_corpus(folder)
    rows = np.arange(min(N_SPEED, len(corpus.papers)))
    texts = [paper.text for paper in corpus.papers.take(rows)]
    vectors = corpus.dense.vectors(rows)
    start = perf_counter()
    ids = [str(row) for row in rows]
    pool = make_pool(ids, texts, vectors, corpus.papers[0].title, vectors[0], np.argsort(-(vectors @ vectors[0])))
    yield Figure(f"pool of {len(rows):,} papers: counting their words, once", perf_counter() - start, "s")
    for n_decisions in (20, 200, 1000, 2000):
        decided_rows = pool.ranking[:n_decisions]
        in_rows, out_rows = decided_rows[: n_decisions // 5], decided_rows[n_decisions // 5 :]
        open_rows = pool.ranking[n_decisions:]
        seconds = []
        for seed in range(5):
            start = perf_counter()
            reading_order(pool, fit(pool, in_rows, out_rows, seed), open_rows, len(in_rows))
            seconds.append(perf_counter() - start)
        name = f"pool of {len(rows):,} papers: fitted again and ordered after {n_decisions:,} decisions, median"
        yield Figure(name, median(seconds), "s", "at most", MOST_SECONDS)


def main() -> None:
    """Measure screenings of the collections in the folder given as an argument."""
    parser = argparse.ArgumentParser(
        description="How much work a screening saves, and whether its stopping rule is kept."
    )
    parser.add_argument("data", type=Path, help="folder with retrieval/ and corpora/")
    parser.add_argument("--cache", type=Path, help="keeps the vectors of the documents")
    parser.add_argument("--collections", default=",".join(COLLECTIONS))
    parser.add_argument("--development", type=Path, metavar="DIR", help="measure the development questions instead")
    parser.add_argument(
        "--odds", type=float, default=ODDS, help="odds of the stopping rule; 1 is the rule as published"
    )
    parser.add_argument("--speed", type=Path, metavar="CORPUS", help="measure a pool of 20,000 papers instead")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(machine())
    if arguments.speed:
        print_figures(list(speed(arguments.speed)), arguments.json)
        return
    names = arguments.collections.split(",")
    folders = [arguments.data / "retrieval" / name for name in names]
    if arguments.development:
        folders = write_development(arguments.data, arguments.development)
    models = Models(MiniLM(), KeywordExtractor.load())
    results: list[Figure] = []
    for folder in folders:
        with build_progress() as progress:
            promise = Promise(odds=arguments.odds)
            report = evaluate_screening(folder, models, cache=arguments.cache, promise=promise, progress=progress)
        results += figures(report.record())
    print_figures(results, arguments.json)


if __name__ == "__main__":
    main()
