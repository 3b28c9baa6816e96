"""Learns the prior of the relevance decision from a corpus and random samples of it, and writes it to a file.

    python benchmarks/relevance_prior.py build/astro

The prior has to serve corpora of every size, so it is learned at four sizes at once: 30, 300 and 3,000 papers drawn
from the corpus, and the whole corpus. At each size, up to 300 titles, with their own papers withheld, stand for
answerable questions, and the 60 shipped questions for off-topic ones; the predictors of both kinds are measured
relative to those of the off-topic questions at that size.
"""

import argparse
import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pathfinder.answering.assessment.relevance import (
    PREDICTORS,
    SMALLEST_SCALES,
    Examples,
    LogisticRule,
    RelevanceModel,
    TrialCorpus,
    draw_rows,
    examples,
)
from pathfinder.corpus.store import open_corpus
from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.index.sparse import SparseIndex, write_sparse
from pathfinder.models.loading import load_embedder
from pathfinder.models.ports import Embedder
from pathfinder.profile import astronomy, off_topic_questions
from pathfinder.settings import Settings
from pathfinder.types import Paper

SIZES = (30, 300, 3000)
TYPICAL = 3000
"""Size of the sample whose centres and scales are shipped, for a corpus in which off-topic questions cannot be looked
up.
"""

SEED = 20261120
N_TITLES = 300
PULL = 10.0
"""Strength of the ridge penalty, which pulls the weights towards 0: the two kinds of question are nearly separable, so
without it the weights would grow without limit.
"""

THRESHOLD = 0.5
TARGET = Path(__file__).parents[1] / "pathfinder" / "assessment" / "relevance_prior.json"


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Some papers in a corpus, with their own indexes."""

    papers: list[Paper]
    dense: DenseIndex
    sparse: SparseIndex


def learn(whole: TrialCorpus, embedder: Embedder) -> RelevanceModel:
    """Learn the prior, with one set of weights for all sizes."""
    n_papers = len(whole.papers)
    grounds: dict[int, TrialCorpus] = {size: sample(whole, size) for size in SIZES if size < n_papers}
    grounds[n_papers] = whole
    examples_by_size = {size: _examples(ground, embedder) for size, ground in grounds.items()}
    decisions = {name: _decision(name, examples_by_size) for name in PREDICTORS}
    n_titles = sum(min(N_TITLES, size) for size in examples_by_size)
    return RelevanceModel(
        **decisions, threshold=THRESHOLD, n_titles=n_titles, n_off_topic=len(off_topic_questions(astronomy()))
    )


def sample(whole: TrialCorpus, size: int) -> Sample:
    """Return a corpus of `size` papers drawn from another corpus."""
    rows = draw_rows(len(whole.papers), size, SEED)
    folder = Path(tempfile.mkdtemp())
    papers = [whole.papers[row] for row in rows]
    write_dense([whole.dense.vectors(np.array(rows))], whole.dense.dimension, folder / "dense.faiss")
    write_sparse([paper.text for paper in papers], folder / "sparse")
    return Sample(papers, DenseIndex.open(folder / "dense.faiss"), SparseIndex.open(folder / "sparse"))


def _examples(ground: TrialCorpus, embedder: Embedder) -> tuple[Examples, Examples]:
    rows = draw_rows(len(ground.papers), N_TITLES, SEED + 1)
    on_topic = examples([ground.papers[row].title for row in rows], ground, embedder, rows)
    return on_topic, examples(off_topic_questions(astronomy()), ground, embedder)


def _decision(name: str, examples_by_size: dict[int, tuple[Examples, Examples]]) -> LogisticRule:
    predictors = PREDICTORS[name]
    n, smallest = len(predictors), np.array([SMALLEST_SCALES[predictor] for predictor in predictors])
    plain = LogisticRule(predictors, (0.0,) * n, (1.0,) * n, (0.0,) * n, 0.0)
    at = {size: plain.at(off_topic[name], smallest) for size, (_, off_topic) in examples_by_size.items()}
    on = np.vstack([at[size].scale(on_topic[name]) for size, (on_topic, _) in examples_by_size.items()])
    off = np.vstack([at[size].scale(off_topic[name]) for size, (_, off_topic) in examples_by_size.items()])
    rule = plain.fit_to(on, off, PULL)
    typical = at.get(TYPICAL) or at[max(at)]
    return replace(typical, weights=rule.weights, intercept=rule.intercept)


def write_prior(model: RelevanceModel, corpus: str) -> None:
    """Write the model, with a record of its origin."""
    provenance = {
        "written_by": "benchmarks/relevance_prior.py",
        "corpus": corpus,
        "sizes": [*SIZES, "whole"],
        "seed": SEED,
        "pull_to_zero": PULL,
    }
    text = json.dumps({"provenance": provenance, "model": json.loads(model.to_json())}, indent=1)
    TARGET.write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Learn the prior from the corpus given on the command line, and write it."""
    parser = argparse.ArgumentParser(description="Learn the prior of the relevance decision from a built corpus.")
    parser.add_argument("corpus", type=Path, help="folder of a built corpus of some thousand papers or more")
    corpus = open_corpus(parser.parse_args().corpus)
    embedder = load_embedder(corpus.manifest.embedder, Settings())
    model = learn(corpus, embedder)
    write_prior(model, f"{corpus.name.name}: {corpus.name.n_papers} papers, embedded with {corpus.manifest.embedder}")
    print(TARGET.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
