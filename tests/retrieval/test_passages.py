from pathlib import Path

import numpy as np
import pytest

from pathfinder.building import build
from pathfinder.corpus.store import open_corpus
from pathfinder.facade import Pathfinder
from pathfinder.index.passages import PassageIndex, stored_passages, write_passages
from pathfinder.index.predicate import EVERY_PAPER
from pathfinder.models.fake import HashEmbedder
from pathfinder.retrieval.lookup.passages import fit_passages, look_up_passages, shown_passages
from pathfinder.text.sentences import cut_into_passages
from pathfinder.types import RetrievalMode, SearchRequest
from tests.building.conftest import WordsAsKeywords, write
from tests.retrieval.results import ids, ran

pytestmark = pytest.mark.build

NEEDLE = "At last a quokka hopped across the dome floor."
FILLER = [" ".join(f"word{100 * i + j}" for j in range(12)) for i in range(50)]
LONG = " ".join([*(f"W{sentence[1:]}." for sentence in FILLER), NEEDLE])
"""Of 600 words and more, of which the fake embedder reads 256."""

PAPERS = [
    {"id": "needle", "title": "A survey", "abstract": LONG, "year": 2001},
    {"id": "dome", "title": "A telescope", "abstract": "Its dome turns slowly under clear winter skies.", "year": 2002},
    {"id": "hop", "title": "A photon", "abstract": "Light hopped from atom to atom inside young stars.", "year": 2002},
    {"id": "bare", "title": "Discs", "abstract": "Discs of dust. Discs of gas."},
]
QUESTION = "quokka hopped across the dome floor"


def open_with(folder: Path, **options) -> Pathfinder:
    source = write(folder / "papers.jsonl", *PAPERS)
    build([source], folder / "corpus", HashEmbedder(384), extractor=WordsAsKeywords(), **options)
    return Pathfinder(open_corpus(folder / "corpus"), HashEmbedder(384), WordsAsKeywords())


@pytest.fixture(scope="module")
def pf(tmp_path_factory) -> Pathfinder:
    return open_with(tmp_path_factory.mktemp("passages"))


@pytest.fixture(scope="module")
def without(tmp_path_factory) -> Pathfinder:
    return open_with(tmp_path_factory.mktemp("without"), passages=False)


def test_the_end_of_a_long_abstract_is_found_by_meaning_only_with_passages(pf):
    plain = pf.search(QUESTION, sides=RetrievalMode.DENSE)
    with_passages = pf.search(QUESTION, sides=RetrievalMode.DENSE, passages=True)
    assert ids(plain).index("needle") > 0
    assert ids(with_passages).index("needle") == 0
    assert ran(with_passages)["passages"] == "exact cosine, FAISS: 4 papers"
    assert "passages" not in ran(plain)


def test_a_papers_likeness_is_its_own_or_its_best_passages(pf):
    plain = pf.search(QUESTION).candidates
    candidates = pf.search(QUESTION, passages=True).candidates
    for row, dense, passages in zip(candidates.rows, candidates.dense, candidates.passages, strict=True):
        own = plain.dense[plain.rows.tolist().index(row)]
        assert dense == pytest.approx(max(own, passages[0].score), abs=1e-6)


def test_the_passage_that_matches_is_shown_whether_or_not_passages_are_looked_up(pf):
    for passages in (False, True):
        (hit,) = (hit for hit in pf.search(QUESTION, passages=passages).hits if hit.paper.paper_id == "needle")
        assert NEEDLE in hit.paper.abstract[hit.passages[0].start : hit.passages[0].end]
        scores = [passage.score for passage in hit.passages]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)


def test_of_more_passages_exactly_three_are_shown(pf):
    (hit,) = (hit for hit in pf.search(QUESTION).hits if hit.paper.paper_id == "needle")
    assert len(cut_into_passages(LONG)) == 6
    assert len(hit.passages) == 3
    assert len({passage.start for passage in hit.passages}) == 3


def test_filters_hold_for_passages(pf):
    result = pf.search(QUESTION, passages=True, year_from=2002, year_to=2002)
    assert set(ids(result)) == {"dome", "hop"}


def test_a_search_by_words_alone_looks_up_no_passages(pf):
    result = pf.search(QUESTION, sides=RetrievalMode.SPARSE, passages=True)
    assert ran(result)["passages"] == "not used: words only"
    assert (result.candidates.passages, result.candidates.position) == ((), None)


def test_a_corpus_without_passages_is_searched_and_says_what_is_missing(without, pf):
    result = without.search(QUESTION, passages=True)
    assert "not run: it was left out when this corpus was built" in ran(result)["passages"]
    assert ids(result) == ids(pf.search(QUESTION))
    assert result.hits[0].passages == ()


# Sums in the open ---------------------------------------------------------------------------------------


def circle(*angles):
    turned = np.radians(angles)
    return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)


def test_of_five_passages_three_are_kept_best_first(tmp_path):
    angles = (50, 120, 10, 30, 0)
    five = stored_passages([(10 * i, 10 * i + 9) for i in range(5)], circle(*angles))
    none = stored_passages([], np.empty((0, 2), np.float32))
    write_passages([none, five, stored_passages([(0, 4)], circle(120))], 2, tmp_path / "p")
    index = PassageIndex.open(tmp_path / "p")
    fit = fit_passages(np.array([1, 0, 2]), np.array([1, 0], np.float32), index)
    first, second, third = shown_passages(fit, index)
    assert [(passage.start, passage.end) for passage in first] == [(40, 49), (20, 29), (30, 39)]
    assert [passage.score for passage in first] == pytest.approx(np.cos(np.radians([0, 10, 30])), abs=1e-3)
    # An obtuse angle is a negative cosine, and clipped.
    assert (second, third[0].score) == ((), 0)


def test_each_paper_comes_once_with_its_best_passage(pf):
    (vector,) = HashEmbedder(384).embed([QUESTION], "query")
    passages, _ = look_up_passages(vector, EVERY_PAPER, pf.corpus)
    assert sorted(passages.rows.tolist()) == [0, 1, 2, 3]
    assert passages.rows[0] == 0
    assert passages.scores.tolist() == sorted(passages.scores, reverse=True)


def test_every_request_of_passages_can_be_weighed_again(pf):
    request = SearchRequest(QUESTION, passages=True, titles=True)
    assert pf.reweigh(pf.search(request), request.weighting).hits == pf.search(request).hits
