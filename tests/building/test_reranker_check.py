"""The check of the local reranker, with sums done in the open."""

from dataclasses import replace

import numpy as np
import pytest

from pathfinder.building.fitted_parts import TitleQuestion, Trial, _ndcg, bm25, check_reranker
from pathfinder.corpus.reranker_check import RerankerCheck
from pathfinder.errors import CorpusDamaged
from pathfinder.retrieval.reranking.rerank import rerank
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import SearchRequest, StageOutcome

LOSS = RerankerCheck(100, fusion=0.8, reranked=0.75, standard_error=0.02)


class Words:
    """An index of 10 papers: "quasar" is in one of them, and every other word in none."""

    def __len__(self):
        return 10

    def document_frequencies(self, stems):
        return np.array([int(stem == "quasar") for stem in stems])


def test_a_text_outside_the_index_is_scored_as_if_it_were_in_it():
    # Two of the three words, in a text of mean length: idf * 2 / (2 + 1.2).
    idf = np.log(1 + 9.5 / 1.5)
    assert bm25("Quasar?", "Quasar, quasar and galaxies", Words(), 3) == pytest.approx(
        idf * 2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 3))
    )


def test_a_paper_on_the_second_place_counts_less_and_beyond_the_tenth_nothing():
    scores = np.arange(12.0)[::-1]
    places = np.eye(12, dtype=bool)
    assert [_ndcg(places[i], scores) for i in (0, 1, 10)] == pytest.approx([1, 1 / np.log2(3), 0])


def test_a_loss_within_the_error_does_not_switch_the_reranker_off():
    assert not LOSS.is_on
    assert replace(LOSS, reranked=0.79).is_on
    assert LOSS.gain == pytest.approx(-0.05)


def test_a_check_is_read_back_as_it_was_written():
    assert RerankerCheck.from_json(LOSS.to_json(), "reranker_check.json") == LOSS
    with pytest.raises(CorpusDamaged, match=r"reranker_check\.json"):
        RerankerCheck.from_json('{"n_questions": "many"}', "reranker_check.json")


def test_a_small_corpus_is_not_checked(pf):
    assert (
        check_reranker(pf.corpus, pf.models.embedder, pf.models.embedder, 1)
        == "this needs at least 300 papers, some with abstracts"
    )


def test_a_hidden_title_is_not_found_by_its_own_tokens(pf):
    paper = pf.corpus.papers[0]
    trial = Trial(pf.corpus, pf.corpus.tokens, pf.models.embedder, 100.0)
    (vector,) = pf.models.embedder.embed([paper.abstract], "document")
    whole, rest = trial.pool(paper.title), trial.pool(paper.title, TitleQuestion(0, paper.abstract, vector))
    own = [float(pool.predictors["tokens^4"][pool.rows == 0][0]) for pool in (whole, rest)]
    assert own[1] < own[0]


@pytest.mark.parametrize(("reranker", "outcome"), [("local", StageOutcome.SKIPPED), ("local-always", StageOutcome.RAN)])
def test_a_loss_switches_the_reranker_off_unless_it_is_always_wanted(reranker, outcome, pf):
    candidates = replace(pf.search("quasars", reranker="off").candidates, rerank=None)
    corpus = replace(pf.corpus, reranker_check=LOSS)
    after, report = rerank(SearchRequest("quasars", reranker=reranker), candidates, corpus, pf.models, StageLog())
    assert report.status is outcome
    assert (after.rerank is None) == (outcome is StageOutcome.SKIPPED)
    assert (report.words == "off, no gain on this corpus") == (outcome is StageOutcome.SKIPPED)
