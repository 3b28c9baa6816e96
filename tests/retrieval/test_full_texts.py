from dataclasses import replace
from math import log

import numpy as np
import pytest

from pathfinder.corpus.store import open_corpus
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.fulltext.store import remove
from pathfinder.models.fake import HashEmbedder
from pathfinder.retrieval.lookup.full_texts import with_full_texts
from pathfinder.retrieval.lookup.indexes import FoundPassages, MergedHits
from pathfinder.retrieval.reranking.local.predictors import MAX_READ
from pathfinder.retrieval.reranking.rerank import rerank
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import RetrievalMode, SearchRequest, SectionKind
from tests.building.conftest import WordsAsKeywords
from tests.full_text_corpus import NEEDLE, full_text_corpus

pytestmark = pytest.mark.build

QUESTION = "quokka hopped across the polished dome floor"


def open_pf(folder):
    return Pathfinder(open_corpus(folder), HashEmbedder(384), WordsAsKeywords())


@pytest.fixture(scope="module")
def pf(tmp_path_factory):
    return open_pf(full_text_corpus(tmp_path_factory.mktemp("full_texts")))


def words_of(result, stage="full texts"):
    return next((each.ran for each in result.stages if each.name == stage), None)


def test_a_hit_shows_the_passage_of_its_full_text_that_answers_with_section_and_page(pf):
    result = pf.search(QUESTION)
    hit = next(hit for hit in result.hits if hit.paper.paper_id == "survey")
    assert NEEDLE in hit.full_text[0].text
    assert (hit.full_text[0].heading, hit.full_text[0].kind) == ("2. Methods", SectionKind.METHOD)
    assert len(hit.full_text) == 3
    assert words_of(result).startswith("2 of 4 papers have full text; all sections: ")
    again = pf.reweigh(result, result.request.weighting)
    assert [other.full_text for other in again.hits] == [other.full_text for other in result.hits]


def test_full_texts_can_be_switched_off(pf):
    result = pf.search(QUESTION, full_texts=False)
    assert not any(hit.full_text for hit in result.hits)
    assert words_of(result) == "not used: switched off"
    without = pf.search(QUESTION, full_texts=False, sections=(SectionKind.METHOD,))
    assert words_of(without) == "not used: switched off, so the sections are ignored"
    assert [hit.row for hit in without.hits] == [hit.row for hit in result.hits]


def test_chosen_sections_find_papers_by_their_passages_there_alone(pf):
    result = pf.search(QUESTION, sections=(SectionKind.METHOD,))
    assert {hit.paper.paper_id for hit in result.hits} == {"survey", "bare"}
    assert {p.kind for hit in result.hits for p in hit.full_text} == {SectionKind.METHOD}
    captions = pf.search("wombats", sections=(SectionKind.CAPTION,), sides=RetrievalMode.SPARSE)
    assert [hit.paper.paper_id for hit in captions.hits] == ["survey"]
    assert [p.address for p in captions.hits[0].full_text] == ["Figure 1, page 3"]
    nothing = pf.search("wombats", sections=(SectionKind.METHOD,), sides=RetrievalMode.SPARSE)
    assert nothing.hits == ()


def test_full_texts_that_changed_since_they_were_indexed_are_not_searched(tmp_path):
    folder = full_text_corpus(tmp_path)
    remove(folder, ["bare"])
    result = open_pf(folder).search(QUESTION)
    assert words_of(result).startswith("not run: full texts have changed or gone since they were indexed: run `pathf")
    remove(folder, ["survey"])
    assert words_of(open_pf(folder).search(QUESTION)) is None
    with pytest.raises(UsageError, match=r"no paper in .* has a full text, so there are no sections"):
        open_pf(folder).search(QUESTION, sections=(SectionKind.DATA,))


def test_a_paper_gains_half_of_the_lead_of_its_best_passage_beyond_that_expected_of_so_many(pf):
    corpus, n = pf.corpus, int((pf.corpus.full_texts.papers == 0).sum())
    passages = FoundPassages(np.arange(2), np.array([0, 0]), np.array([0.7, 0.9]), np.array([6.0, np.nan]))

    def raised(cosine, bm25, **settings):
        none = np.zeros(2)
        dense, sparse = np.array([cosine, 0.3]), np.array([bm25, 4.0])
        hits = MergedHits(np.array([0, 1]), np.zeros((2, 1), np.float32), dense, sparse, 0.0, none)
        hits = with_full_texts(hits, SearchRequest("x", **settings), passages, corpus)
        return [*hits.dense, *hits.sparse]

    # 0.2 + 0.5 (0.9 - 0.2 - 0.05 ln 7), and 1 + 0.5 (6 - 1 - 0.1 x 4 ln 7); the paper without a passage keeps its own.
    assert n == 7
    bm25 = 1 + 0.5 * (5 - 0.4 * log(7))
    assert raised(0.2, 1.0) == pytest.approx([0.2 + 0.5 * (0.7 - 0.05 * log(7)), 0.3, bm25, 4.0])
    # The passage leads 0.85 by less than is expected, and an abstract with no word of the question scores 0.
    assert raised(0.85, np.nan) == pytest.approx([0.85, 0.3, 0.5 * (6 - 0.4 * log(7)), 4.0])
    assert raised(0.2, 1.0, sections=(SectionKind.METHOD,)) == pytest.approx([0.9 - 0.05 * log(7), 0.3, 1.0, 4.0])


def test_a_word_that_only_a_full_text_has_finds_its_paper(pf):
    hits = pf.search("wombats", sides=RetrievalMode.SPARSE).hits
    assert [hit.paper.paper_id for hit in hits] == ["survey"]
    assert hits[0].full_text[0].address == "Figure 1, page 3"


class LooksForCounts:
    """A vendor that scores 1 for a text with the word "stable", 0.5 for "Discs" and 0 for others; keeps the texts."""

    def __init__(self):
        self.texts = []

    def rerank(self, query, documents):
        self.texts += documents
        return np.array([1.0 if "stable" in text else 0.5 if "Discs" in text else 0.0 for text in documents])


def test_a_vendor_reads_the_best_passages_with_the_abstracts_in_a_single_call(pf):
    vendor = LooksForCounts()
    request = SearchRequest("Is the count in field number 7 stable?", reranker="made:up")
    candidates = pf.search(replace(request, reranker="off")).candidates
    models = replace(pf.models, load_reranker=lambda _: vendor)
    after, _ = rerank(request, candidates, pf.corpus, models, StageLog())
    n = len(candidates)
    assert vendor.texts[:n] == [paper.text for paper in candidates.papers]
    assert any(text.startswith("A survey. 2. Methods. ") for text in vendor.texts[n:])
    assert len(vendor.texts) - n <= MAX_READ
    place = [paper.paper_id for paper in candidates.papers].index("survey")
    assert after.rerank[place] > 0
