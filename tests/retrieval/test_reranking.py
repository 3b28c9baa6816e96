from dataclasses import replace

import numpy as np
import pytest

from pathfinder.errors import UsageError
from pathfinder.retrieval.reranking.rerank import rerank
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import Preset, SearchRequest, Weighting
from tests.retrieval.busy import busy

QUESTION = "What is the value of the Hubble constant?"


class Backwards:
    """Scores the documents by their length, and keeps what it was given."""

    name = "made:up"

    def __init__(self):
        self.received = []

    def rerank(self, query, documents):
        self.received.append((query, list(documents)))
        return np.array([len(text) for text in documents], dtype=np.float64)


class Busy:
    name = "made:up"

    def rerank(self, query, documents):
        raise busy("made:up asked us to slow down (HTTP 429): try again in a minute")


def run(pf, reranker, load=None, corpus=None, **fields):
    request = SearchRequest(QUESTION, reranker=reranker, **fields)
    candidates = replace(pf.search(replace(request, reranker="off")).candidates, rerank=None)
    log = StageLog()
    models = replace(pf.models, load_reranker=load)
    after, report = rerank(request, candidates, corpus or pf.corpus, models, log)
    return candidates, after, report.words, log


def test_off_changes_nothing(pf):
    before, after, ran, _ = run(pf, "off")
    assert after is before
    assert ran == "off"


def test_the_local_reranker_gives_the_best_paper_one_and_the_others_less(pf):
    _, after, ran, _ = run(pf, "local")
    scores = after.rerank[~np.isnan(after.rerank)]
    assert scores.max() == 1
    assert 0 <= scores.min() < 1
    assert len(scores) == min(250, len(after))
    assert ran == f"local, {len(scores)} papers"


def test_a_sentence_puts_its_own_paper_first(pf):
    for paper in list(pf.corpus.papers)[:5]:
        question = paper.abstract.split(". ")[0]
        assert pf.search(question, reranker="local").hits[0].paper.paper_id == paper.paper_id


def test_a_long_question_is_reranked_by_neighbours_alone(pf):
    text = " ".join(paper.abstract for paper in list(pf.corpus.papers)[:3])
    request = SearchRequest(text, reranker="local")
    candidates = replace(pf.search(text, reranker="off").candidates, rerank=None)
    _, report = rerank(request, candidates, pf.corpus, pf.models, StageLog())
    assert report.words.endswith("by neighbours alone: the question is long")


def test_a_vendors_scores_stay_with_their_papers(pf):
    vendor = Backwards()
    _, after, ran, _ = run(pf, "made:up", lambda name: vendor)
    lengths = np.array([len(paper.text) for paper in after.papers], dtype=np.float64)
    assert after.rerank == pytest.approx((lengths - lengths.min()) / (lengths.max() - lengths.min()))
    assert vendor.received == [(QUESTION, [paper.text for paper in after.papers])]
    assert ran == f"made:up, {len(after)} papers"


@pytest.mark.parametrize("preset", list(Preset))
def test_an_earlier_rerank_does_not_choose_who_is_reranked(pf, preset):
    request = SearchRequest(QUESTION, reranker="local", weighting=Weighting(preset=preset))
    candidates = pf.search(QUESTION, reranker="off").candidates
    stale = replace(candidates, rerank=np.linspace(0, 1, len(candidates)))
    first, _ = rerank(request, replace(candidates, rerank=None), pf.corpus, pf.models, StageLog())
    other, _ = rerank(request, stale, pf.corpus, pf.models, StageLog())
    np.testing.assert_array_equal(first.rerank, other.rerank)


def test_a_vendor_that_fails_is_replaced_and_said_to_be(pf):
    _, local, words, _ = run(pf, "local")
    _, after, ran, log = run(pf, "made:up", lambda name: Busy())
    np.testing.assert_array_equal(after.rerank, local.rerank)
    assert ran == f"made:up unavailable (HTTP 429 from it): {words}"
    assert "HTTP 429" in log.notes[0]


def test_a_reranker_that_nobody_answers_to_is_refused(pf):
    with pytest.raises(UsageError, match="choose local or off"):
        run(pf, "made:up")


def test_a_constant_list_becomes_one(pf):
    class Alike(Backwards):
        def rerank(self, query, documents):
            return np.full(len(documents), 0.3)

    _, after, _, _ = run(pf, "made:up", lambda name: Alike())
    assert set(after.rerank.tolist()) == {1.0}


def test_a_corpus_without_token_vectors_says_so(pf):
    before, after, ran, _ = run(pf, "local", corpus=replace(pf.corpus, tokens=None))
    assert after is before
    assert ran.startswith("not run: the corpus has no token vectors")
    assert "build it again" in ran
