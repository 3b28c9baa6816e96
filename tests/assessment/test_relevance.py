import json
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pytest

from pathfinder.assessment.relevance import (
    MAX_TITLES,
    MIN_PAPERS,
    PREDICTORS,
    RelevanceModel,
    draw_rows,
    examples,
    fit,
    measure,
    shipped_prior,
    without_speech,
)
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import CorpusDamaged
from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.index.sparse import SparseIndex, write_sparse
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.models.fake import HashEmbedder
from pathfinder.profile import astronomy, off_topic_questions
from pathfinder.types import Paper

EMBEDDER = HashEmbedder(256)
SUBJECTS = ["dusty haloes", "quasar winds", "pulsar timing", "stellar streams", "lensed arcs"]
METHODS = ["spectra", "photometry", "simulations", "surveys", "interferometry", "polarimetry", "spectroscopy"]


@dataclass
class Ground:
    papers: list
    dense: DenseIndex
    sparse: SparseIndex


@dataclass
class Pool:
    dense: np.ndarray
    sparse: np.ndarray
    vectors: np.ndarray = field(default_factory=lambda: np.eye(1, 4))
    papers: list = field(default_factory=lambda: [Paper("a", "Dust", "Dust.")])


def ground(n_papers, folder):
    """Build a corpus of `n_papers` on five subjects."""
    papers = [_paper(i) for i in range(n_papers)]
    texts = [paper.text for paper in papers]
    write_dense([EMBEDDER.embed(texts, "document")] if texts else [], EMBEDDER.dimension, folder / "dense")
    write_sparse(texts, folder / "sparse")
    columns = PaperTable(pa.Table.from_batches([batch_of(papers)], schema=PAPER_SCHEMA))
    return Ground(papers, DenseIndex.open(folder / "dense", columns), SparseIndex.open(folder / "sparse", columns))


def _paper(i):
    subject, method = SUBJECTS[i % 5], METHODS[i % 7]
    return Paper(
        f"p{i}", f"{method} of {subject} {i}", f"We study {subject} of galaxies with {method} in the field {i}."
    )


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    return ground(MIN_PAPERS, tmp_path_factory.mktemp("large"))


# Questions ----------------------------------------------------------------------------------------------


def test_sixty_off_topic_questions_are_shipped():
    assert len(set(off_topic_questions(astronomy()))) == 60


def test_a_question_falls_under_the_decision_of_the_sides_that_spoke(large):
    score, no_score = np.array([0.5]), np.array([np.nan])
    for name, pool in {
        "both": Pool(score, score),
        "meaning": Pool(score, no_score),
        "words": Pool(no_score, score),
    }.items():
        decision, predictors = measure("dust", pool, large.sparse)
        assert decision == name
        assert predictors.shape == (len(PREDICTORS[name]),)


def test_nothing_found_is_not_relevant(large):
    nothing = np.empty(0)
    assert measure("dust", Pool(nothing, nothing, np.empty((0, 4)), []), large.sparse) is None
    assert shipped_prior().probability("dust", Pool(nothing, nothing, np.empty((0, 4)), []), large.sparse) == 0


def test_a_paper_that_is_held_back_is_not_found(large):
    title = large.papers[0].title
    with_paper = examples([title], large, EMBEDDER)["meaning"][0]
    without_paper = examples([title], large, EMBEDDER, [0])["meaning"][0]
    assert with_paper[0] > without_paper[0]


# The fit ------------------------------------------------------------------------------------------------


def test_a_fit_tells_the_corpus_from_other_matters(large):
    model = fit(large, EMBEDDER, seed=1)
    assert (model.n_titles, model.n_off_topic) == (MAX_TITLES, 60)
    on = examples(["Which spectra of quasar winds exist?", "pulsar timing surveys of galaxies"], large, EMBEDDER)
    off = examples(["Which surveys of biscuits go best with a cup of tea?", "How do I study law?"], large, EMBEDDER)
    for name in ("both", "words"):
        decision = getattr(model, name)
        assert min(map(decision.probability, on[name])) > model.threshold > max(map(decision.probability, off[name]))


def test_a_fit_repeats_byte_for_byte(large):
    assert fit(large, EMBEDDER, seed=1).to_json() == fit(large, EMBEDDER, seed=1).to_json()


@pytest.mark.parametrize("n_papers", [0, 1, 3, MIN_PAPERS - 1])
def test_a_small_corpus_keeps_the_shipped_weights(n_papers, tmp_path):
    model = fit(ground(n_papers, tmp_path), EMBEDDER, seed=1)
    prior = shipped_prior()
    assert model.n_titles == 0
    for name in PREDICTORS:
        fitted_rule, shipped_rule = getattr(model, name), getattr(prior, name)
        assert (fitted_rule.weights, fitted_rule.intercept) == (shipped_rule.weights, shipped_rule.intercept)


def test_a_small_corpus_measures_from_what_off_topic_questions_reach_in_it(tmp_path):
    model = fit(ground(30, tmp_path), EMBEDDER, seed=1)
    assert model.meaning.centres != shipped_prior().meaning.centres


def test_a_sample_is_drawn_with_its_seed_in_the_order_of_the_corpus():
    assert draw_rows(1000, 5, seed=1) == sorted(draw_rows(1000, 5, seed=1)) == draw_rows(1000, 5, seed=1)
    assert draw_rows(1000, 5, seed=1) != draw_rows(1000, 5, seed=2)
    assert draw_rows(3, 5, seed=1) == [0, 1, 2]


# On disk ------------------------------------------------------------------------------------------------


def test_a_model_survives_its_file():
    prior = shipped_prior()
    assert RelevanceModel.from_json(prior.to_json()) == prior
    assert RelevanceModel.from_json(prior.to_json().encode()) == prior


def _with_fields(**fields):
    return json.dumps(json.loads(shipped_prior().to_json()) | fields)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        b"\x80\x04",
        _with_fields(threshold=1.5),
        _with_fields(threshold="0.5"),
        _with_fields(threshold=float("nan")),
        _with_fields(extra=1),
        _with_fields(both=json.loads(shipped_prior().to_json())["words"]),
        _with_fields(words=json.loads(shipped_prior().to_json())["words"] | {"scales": [0, 0, 0, 0]}),
    ],
)
def test_anything_else_is_refused_with_the_way_out(text):
    with pytest.raises(CorpusDamaged, match="build the corpus again"):
        RelevanceModel.from_json(text)


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("what's the deal with that big hole in our galaxy", "big hole galaxy"),
        ("how do people even know what stuff is", "how do people even know what stuff is"),
    ],
)
def test_words_of_speech_are_left_out_if_others_remain(question, content):
    kept = without_speech(question)
    assert stems(words(kept), QUESTION_STOP_WORDS) == stems(words(content), QUESTION_STOP_WORDS)
