import json
from dataclasses import dataclass, field, replace
from math import exp, log, sqrt

import numpy as np
import pyarrow as pa
import pytest

from pathfinder.answering.answer import DOUBT
from pathfinder.answering.assessment.assess import assess
from pathfinder.answering.assessment.relevance import (
    MAX_TITLES,
    MIN_PAPERS,
    PREDICTORS,
    LogisticRule,
    RelevanceModel,
    draw_rows,
    examples,
    fit,
    meaning_predictors,
    measure,
    shipped_prior,
    without_speech,
    word_predictors,
)
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import CorpusDamaged
from pathfinder.facade import Pathfinder
from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.index.sparse import SparseIndex, write_sparse
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.models.fake import HashEmbedder
from pathfinder.profile import astronomy, off_topic_questions
from pathfinder.types import AnswerRequest, ModeName, Paper

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


TWO = LogisticRule(("near", "known"), (0.2, 0.5), (0.1, 0.25), (1.0, 2.0), -3.0)


def test_the_probability_is_the_logistic_of_the_weighed_predictors():
    # (0.4 - 0.2) / 0.1 = 2 and (1.0 - 0.5) / 0.25 = 2, so -3 + 1 * 2 + 2 * 2 = 3
    assert TWO.probability(np.array([0.4, 1.0])) == pytest.approx(1 / (1 + exp(-3)))


def test_no_single_predictor_decides_by_being_absurd():
    # (100 - 0.2) / 0.1 is clipped to 15, (-100 - 0.5) / 0.25 to -5: -3 + 15 - 10 = 2
    assert TWO.probability(np.array([100.0, -100.0])) == pytest.approx(1 / (1 + exp(-2)))


def test_centres_and_scales_are_medians_of_off_topic_questions():
    column = np.concatenate([np.full(7, 0.1), np.full(7, 0.2), np.full(7, 0.4)])
    rule = TWO.at(np.column_stack([column, np.full(21, 0.6)]), np.array([0.01, 0.04]))
    # The median is 0.2; the absolute deviations are 0.1, 0 and 0.2, and their median is 0.1.
    assert rule.centres == (0.2, 0.6)
    assert rule.scales == pytest.approx((1.4826 * 0.1, 0.04), abs=1e-4)
    assert (rule.weights, rule.intercept) == (TWO.weights, TWO.intercept)


def test_too_few_examples_move_nothing():
    few = np.zeros((19, 2))
    assert TWO.at(few, np.array([0.1, 0.1])) is TWO
    assert TWO.fit_to(few, np.zeros((60, 2))) is TWO
    assert TWO.fit_to(np.zeros((60, 2)), few) is TWO


def test_a_fit_tells_apart_what_can_be_told_apart():
    rng = np.random.default_rng(0)
    on, off = rng.normal((0.6, 0.5), 0.1, (100, 2)), rng.normal((0.2, 0.5), 0.1, (60, 2))
    rule = LogisticRule(("near", "known"), (0.2, 0.5), (0.1, 0.1), (0.0, 0.0), 0.0).fit_to(on, off)
    assert rule.weights[0] > 5 * abs(rule.weights[1])
    assert np.mean([rule.probability(row) > 0.5 for row in on]) > 0.95
    assert np.mean([rule.probability(row) < 0.5 for row in off]) > 0.95


def test_a_strong_pull_keeps_the_prior():
    rng = np.random.default_rng(0)
    on, off = rng.normal(0.6, 0.1, (100, 2)), rng.normal(0.2, 0.1, (60, 2))
    near, far = TWO.fit_to(on, off, pull=1e6), TWO.fit_to(on, off, pull=0.01)
    assert near.weights == pytest.approx(TWO.weights, abs=1e-3)
    assert far.weights != pytest.approx(TWO.weights, abs=1e-1)


def test_how_many_titles_there_are_does_not_tilt_the_fit():
    rng = np.random.default_rng(0)
    on, off = rng.normal(0.6, 0.1, (30, 2)), rng.normal(0.2, 0.1, (60, 2))
    once, thrice = TWO.fit_to(on, off), TWO.fit_to(np.tile(on, (3, 1)), off)
    assert (*once.weights, once.intercept) == pytest.approx((*thrice.weights, thrice.intercept), abs=1e-3)


@pytest.mark.parametrize("field", ["centres", "scales", "weights"])
def test_a_number_too_few_is_refused(field):
    values = {"centres": (0.0,), "scales": (1.0,), "weights": (1.0,)} | {field: ()}
    with pytest.raises(ValueError, match=field):
        LogisticRule(("near",), values["centres"], values["scales"], values["weights"], 0.0)


def test_a_scale_of_zero_is_refused():
    with pytest.raises(ValueError, match="scales must be above 0"):
        LogisticRule(("near",), (0.0,), (0.0,), (1.0,), 0.0)


@pytest.mark.parametrize(
    ("question", "known_as"),
    [
        ("Interstellar medium", "keyword"),
        ("What is LIGO?", "keyword"),
        ("riess-2022", "paper id riess-2022"),
        ("Synthesis of the Elements in Stars", "title"),
        ("media between stars", None),
    ],
)
def test_only_a_named_paper_is_relevant_whatever_the_decision_says(pf: Pathfinder, question: str, known_as: str | None):
    corpus = pf.corpus
    strict = replace(pf._relevance, both=replace(pf._relevance.both, intercept=-100.0))
    result = assess(pf.search(question), corpus.sparse, pf._calibration, strict)
    assert result.assessment is not None
    assert result.assessment.is_relevant == (known_as is not None)
    assert result.hits[0].known_as == known_as


def test_a_keyword_of_many_papers_names_none_of_them_and_is_relevant(pf: Pathfinder):
    result = assess(pf.search("Exoplanets"), pf.corpus.sparse, pf._calibration, replace(pf._relevance, threshold=1.0))
    assert not any(hit.known_as for hit in result.hits)
    assert result.assessment is not None
    assert result.assessment.is_relevant


@pytest.mark.parametrize(("question", "is_doubtful"), [("papers by Riess", False), ("papers by Riess on bread", True)])
def test_what_an_author_is_asked_about_may_be_in_doubt(pf: Pathfinder, question: str, is_doubtful: bool):
    found = pf.search(question)
    result = assess(found, pf.corpus.sparse, pf._calibration, replace(pf._relevance, threshold=1.0))
    assert result.assessment is not None
    assert (result.assessment.is_relevant, result.assessment.is_doubtful) == (True, is_doubtful)


@pytest.mark.parametrize(("threshold", "is_doubtful"), [(0.5, False), (1.0, True)])
def test_below_the_threshold_of_its_corpus_a_question_is_answered_with_a_doubt(
    pf: Pathfinder, threshold: float, is_doubtful: bool
):
    found = pf.search("media between stars")
    result = assess(found, pf.corpus.sparse, pf._calibration, replace(pf._relevance, threshold=threshold))
    assert result.assessment is not None
    assert (result.assessment.is_relevant, result.assessment.is_doubtful) == (True, is_doubtful)
    answer = pf.answer(result, AnswerRequest(generation=ModeName.EXTRACTIVE))
    assert not answer.abstained
    assert (DOUBT in answer.notes) == is_doubtful


@dataclass
class FewPapers:
    dense: np.ndarray
    sparse: np.ndarray
    vectors: np.ndarray = field(default_factory=lambda: np.eye(2))
    papers: list = field(default_factory=list)


class Counts:
    """Word statistics of three papers, two of which mention dust and one winds."""

    def __len__(self):
        return 3

    def content_words(self, text):
        return tuple(dict.fromkeys(stems(words(text), QUESTION_STOP_WORDS)))

    def document_frequencies(self, content_words):
        return np.array([{"dust": 2, "wind": 1}.get(word, 0) for word in content_words])


def idf(n):
    return log(1 + (3 - n + 0.5) / (n + 0.5))


def test_meaning_is_the_nearest_papers_and_how_near_they_lie_to_one_another():
    half = np.array([[1.0, 0.0], [0.5, sqrt(0.75)]])
    best, mean, coherence = meaning_predictors(FewPapers(np.array([0.2, 0.6]), np.zeros(2), half))
    assert (best, mean, coherence) == pytest.approx((0.6, 0.4, 0.5))


def test_a_single_paper_is_coherent():
    assert meaning_predictors(FewPapers(np.array([0.2]), np.zeros(1), np.eye(1)))[2] == 1


def test_only_the_ten_nearest_papers_are_looked_at():
    dense = np.concatenate([np.full(90, 0.1), np.full(10, 0.5)])
    assert meaning_predictors(FewPapers(dense, np.zeros(100), np.tile([1.0, 0.0], (100, 1))))[1] == pytest.approx(0.5)


def test_words_are_shares_of_what_the_question_could_reach():
    papers = [Paper("a", "Dust", "Dusty."), Paper("b", "Winds", "Dust in winds.")]
    pool = FewPapers(np.array([0.5, 0.4]), np.array([0.2, 0.6]), papers=papers)
    share, best, mean, together, nearest = word_predictors("How does dust drive winds?", pool, Counts())
    # "drive" is in no paper, so it is the rarest of the three words, and out of reach.
    whole = idf(2) + idf(1) + idf(0)
    assert share == pytest.approx(0.6 / whole)
    assert best == together == pytest.approx((idf(2) + idf(1)) / whole)
    assert mean == pytest.approx((idf(2) + (idf(2) + idf(1))) / 2 / whole)
    assert nearest == pytest.approx((0.2 + 0.6) / 2 / whole)


def test_without_cosines_there_are_no_nearest_papers():
    pool = FewPapers(np.full(1, np.nan), np.array([0.2]), papers=[Paper("a", "Dust", "Dusty.")])
    assert word_predictors("dust", pool, Counts()).shape == (4,)
