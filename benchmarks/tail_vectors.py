"""Measures the benefit of a second vector for the end of a long text.

    python -m benchmarks.tail_vectors DATA [--cache DIR] [--collections cisi,scholarqa_multi_closed]

The local model reads 256 tokens of a text. Here the rest is embedded too, on its own or after the title, and a paper's
cosine is the larger of its two cosines. For every question the papers are ranked with and without this second vector,
by meaning alone and fused with BM25 as in a search; the differences are paired by question.
"""

import argparse
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from pathfinder.building.progress import Silent
from pathfinder.corpus.store import Corpus
from pathfinder.evaluation.collections import Collection, read_collection
from pathfinder.evaluation.indexing import index_documents
from pathfinder.evaluation.metrics import score_each
from pathfinder.models.minilm import MAX_TOKENS, MiniLM, weights_folder
from pathfinder.models.ports import Embedder, Vectors
from pathfinder.retrieval.fusion import fuse
from pathfinder.types import Rows

SEED, N_RESAMPLES = 20261120, 10_000
MEASURES = ("ndcg@10", "mrr@10", "recall@100")
CORPORA = {"astro_single_paper": "corpora/astroph_2025_2026.jsonl.gz"}
QRELS = {"scifact": "qrels_beir_test.tsv"}

Scores = Mapping[str, Mapping[str, float]]
Cosines = NDArray[np.float32]
"""Shape (n_questions, n_papers)."""


@dataclass(frozen=True)
class Tails:
    """The texts that the model does not read to the end."""

    rows: Rows
    kinds: Mapping[str, list[str]]
    """The text after the first 256 tokens, on its own and after the title."""
    n_cut_again: int
    """Number of these texts that are themselves longer than 256 tokens."""


@dataclass(frozen=True)
class Paired:
    """A measure with and without tails, over the same questions."""

    before: float
    after: float
    difference: float
    low: float
    high: float
    """Upper end of the 95% bootstrap interval of the difference."""
    p: float
    """Two-sided p value of a sign-flip test."""
    better: int
    worse: int


@dataclass(frozen=True)
class Report:
    """The effect of tails on one collection."""

    collection: str
    n_queries: int
    n_papers: int
    n_cut: int
    n_relevant: int
    n_relevant_cut: int
    n_cut_again: int
    compared: Mapping[str, Mapping[str, Paired]]


def tails(corpus: Corpus) -> Tails:
    """Truncate every text where the model stops reading."""
    tokenizer = Tokenizer.from_file(str(weights_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    rows, plain, with_titles = [], [], []
    n_cut_again = 0
    for row, paper in enumerate(corpus.papers):
        encoding = tokenizer.encode(paper.text)
        if len(encoding) > MAX_TOKENS:
            # The last of the 256 is the end token, so the token at index 255 is the first one not read.
            tail = paper.text[encoding.offsets[MAX_TOKENS - 1][0] :]
            rows.append(row)
            plain.append(tail)
            with_titles.append(f"{paper.title}. {tail}")
            n_cut_again += len(encoding) > 2 * MAX_TOKENS - 2
    return Tails(np.array(rows, dtype=np.int64), {"tail": plain, "title and tail": with_titles}, n_cut_again)


def _larger(heads: Cosines, questions: Vectors, rows: Rows, texts: list[str], embedder: Embedder) -> Cosines:
    """Return the larger cosine, of head or tail, for every question and paper."""
    larger = heads.copy()
    if len(rows):
        larger[:, rows] = np.maximum(larger[:, rows], questions @ embedder.embed(texts, "document").T)
    return larger


def scores(collection: Collection, corpus: Corpus, cosines: Cosines, is_fused: bool) -> Scores:
    """Return every measure for every question, with the papers ordered by their cosines, fused with BM25 or not."""
    ids = np.array(corpus.papers.paper_ids(), dtype=object)
    rankings = {}
    for (question, text), row in zip(collection.questions.items(), cosines.astype(np.float64), strict=True):
        order_by = row
        if is_fused:
            bm25 = np.full(len(row), np.nan)
            results = corpus.sparse.search(text, len(row))
            bm25[results.rows] = results.scores
            order_by = fuse(row, bm25, float(row.min()))
        best = ids[np.argsort(-order_by, kind="stable")]
        rankings[question] = [name for name in best[:1001] if name != question][:1000]
    return score_each(collection.judgements, rankings)


def pair_differences(before: Mapping[str, float], after: Mapping[str, float]) -> Paired:
    """Return the mean difference over the questions, and its uncertainty."""
    differences = np.array([after[question] - before[question] for question in before])
    rng = np.random.default_rng(SEED)
    resampled = rng.choice(differences, (N_RESAMPLES, len(differences))).mean(axis=1)
    flipped = (rng.choice([-1.0, 1.0], (N_RESAMPLES, len(differences))) * differences).mean(axis=1)
    low, high = np.percentile(resampled, [2.5, 97.5])
    n_extreme = int((np.abs(flipped) >= abs(differences.mean()) - 1e-12).sum())
    return Paired(
        before=float(np.mean(list(before.values()))),
        after=float(np.mean(list(after.values()))),
        difference=float(differences.mean()),
        low=float(low),
        high=float(high),
        p=(n_extreme + 1) / (N_RESAMPLES + 1),
        better=int((differences > 0).sum()),
        worse=int((differences < 0).sum()),
    )


def compare(collection: Collection, embedder: Embedder, cache: Path | None) -> Report:
    """Compare both kinds of tail with no tail, by meaning alone and fused."""
    with index_documents(collection.corpus, embedder, cache, Silent()) as ground:
        corpus = ground.corpus
        questions = embedder.embed(list(collection.questions.values()), "query")
        heads = questions @ corpus.dense.vectors(np.arange(len(corpus.papers))).T
        tails_of_corpus = tails(corpus)
        kinds = {
            kind: _larger(heads, questions, tails_of_corpus.rows, texts, embedder)
            for kind, texts in tails_of_corpus.kinds.items()
        }
        comparisons = {}
        for name, is_fused in (("dense", False), ("fused", True)):
            before = scores(collection, corpus, heads, is_fused)
            for kind, cosines in kinds.items():
                after = scores(collection, corpus, cosines, is_fused)
                comparisons[f"{name}, {kind}"] = {m: pair_differences(before[m], after[m]) for m in MEASURES}
        relevant = {paper for grades in collection.judgements.values() for paper, grade in grades.items() if grade > 0}
        ids = corpus.papers.paper_ids()
        return Report(
            collection=collection.name,
            n_queries=len(collection.questions),
            n_papers=len(ids),
            n_cut=len(tails_of_corpus.rows),
            n_relevant=len(relevant),
            n_relevant_cut=sum(ids[row] in relevant for row in tails_of_corpus.rows),
            n_cut_again=tails_of_corpus.n_cut_again,
            compared=comparisons,
        )


def print_table(report: Report) -> None:
    """Print one line per comparison and measure."""
    print(
        f"{report.collection}: {report.n_queries} questions; {report.n_cut} of {report.n_papers} texts are cut, "
        f"{report.n_relevant_cut} of {report.n_relevant} relevant ones; {report.n_cut_again} tails are cut again"
    )
    print(
        f"  {'':22}{'measure':>11}{'before':>8}{'after':>8}{'diff.':>9}{'95% interval':>18}{'p':>7}{'better/worse':>14}"
    )
    for name, measures in report.compared.items():
        for measure, estimate in measures.items():
            interval = f"{estimate.low:+.4f}..{estimate.high:+.4f}"
            print(
                f"  {name:22}{measure:>11}{estimate.before:8.4f}{estimate.after:8.4f}{estimate.difference:+9.4f}"
                f"{interval:>18}{estimate.p:7.3f}{estimate.better:>7}/{estimate.worse}"
            )
    print(flush=True)


def main() -> None:
    """Print one table per collection, then everything as JSON."""
    parser = argparse.ArgumentParser(description="Measure what a second vector for the end of long texts is worth.")
    parser.add_argument("data", type=Path, help="folder with retrieval/ and corpora/")
    parser.add_argument("--cache", type=Path, help="keeps the vectors of the documents")
    parser.add_argument("--collections", default="cisi,scholarqa_multi_closed")
    arguments = parser.parse_args()
    embedder = MiniLM()
    reports = []
    for name in arguments.collections.split(","):
        folder = arguments.data / "retrieval" / name
        corpus = arguments.data / CORPORA[name] if name in CORPORA else None
        judgements = folder / QRELS[name] if name in QRELS else None
        reports.append(compare(read_collection(folder, corpus, judgements), embedder, arguments.cache))
        print_table(reports[-1])
    print(json.dumps([asdict(report) for report in reports]))


if __name__ == "__main__":
    main()
