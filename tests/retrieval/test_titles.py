import numpy as np
import pytest

from pathfinder.types import RetrievalMode, Weighting
from tests.retrieval.results import ran

QUESTION = "A redetermination of the Hubble constant"


def test_titles_are_compared_whether_or_not_they_are_looked_up(pf):
    plain, looked_up = pf.search(QUESTION), pf.search(QUESTION, titles=True)
    np.testing.assert_array_equal(plain.candidates.title_match, looked_up.candidates.title_match)
    (question,) = pf.embedder.embed([QUESTION], "query")
    titles = pf.embedder.for_building().embed([paper.title for paper in plain.candidates.papers], "document")
    assert plain.candidates.title_match == pytest.approx(np.clip(titles @ question, 0, 1), abs=2e-3)
    assert (ran(looked_up)["titles"], "titles" in ran(plain)) == ("exact cosine, FAISS", False)


def test_a_title_weighs_when_its_strength_is_set(pf):
    hits = pf.search(QUESTION, weighting=Weighting(title=1.0)).hits
    assert hits[0].score.title_match == max(hit.score.title_match for hit in hits)
    assert pf.search(QUESTION).hits[0].score.title_match is None


def test_filters_hold_for_titles(pf):
    result = pf.search(QUESTION, titles=True, year_to=1999, top_k=30)
    assert all(hit.paper.year <= 1999 for hit in result.hits)


def test_a_search_by_words_alone_looks_up_no_titles(pf):
    result = pf.search(QUESTION, sides=RetrievalMode.SPARSE, titles=True)
    assert ran(result)["titles"] == "not used: words only"
    assert result.candidates.title_match is None
