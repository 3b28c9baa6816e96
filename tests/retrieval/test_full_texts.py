from math import log

import numpy as np
import pytest

from pathfinder.corpus.store import open_corpus
from pathfinder.errors import UsageError
from pathfinder.fulltext.store import remove
from pathfinder.models.fake import HashEmbedder
from pathfinder.retrieval.lookup.found_passages import FoundPassages
from pathfinder.retrieval.lookup.full_texts import with_full_texts
from pathfinder.retrieval.lookup.indexes import MergedHits
from pathfinder.session import Pathfinder
from pathfinder.types import RetrievalMode, SearchRequest, SectionKind
from tests.building.conftest import WordsAsKeywords
from tests.full_text_corpus import NEEDLE, full_text_corpus

QUESTION = "quokka hopped across the polished dome floor"


def opened(folder):
    return Pathfinder(open_corpus(folder), HashEmbedder(384), WordsAsKeywords())


@pytest.fixture(scope="module")
def pf(tmp_path_factory):
    return opened(full_text_corpus(tmp_path_factory.mktemp("full_texts")))


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


def test_chosen_sections_find_papers_by_their_passages_there_alone(pf):
    result = pf.search(QUESTION, sections=(SectionKind.METHOD,))
    assert {hit.paper.paper_id for hit in result.hits} == {"survey", "bare"}
    assert {p.kind for hit in result.hits for p in hit.full_text} == {SectionKind.METHOD}
    captions = pf.search("wombats", sections=(SectionKind.CAPTION,), sides=RetrievalMode.SPARSE)
    assert [hit.paper.paper_id for hit in captions.hits] == ["survey"]
    assert [p.address for p in captions.hits[0].full_text] == ["Figure 1, page 3"]
    nothing = pf.search("wombats", sections=(SectionKind.METHOD,), sides=RetrievalMode.SPARSE)
    assert nothing.hits == ()


def test_sections_need_full_texts(pf, tmp_path):
    with pytest.raises(UsageError, match="sections are those of full texts"):
        SearchRequest(QUESTION, full_texts=False, sections=(SectionKind.METHOD,))


def test_full_texts_that_changed_since_they_were_indexed_are_not_searched(tmp_path):
    folder = full_text_corpus(tmp_path)
    remove(folder, ["bare"])
    result = opened(folder).search(QUESTION)
    assert words_of(result).startswith("not run: the full texts changed since they were indexed: run `pathfinder fu")
    remove(folder, ["survey"])
    assert words_of(opened(folder).search(QUESTION)) is None
    with pytest.raises(UsageError, match=r"no paper of .* has a full text, so there are no sections"):
        opened(folder).search(QUESTION, sections=(SectionKind.DATA,))


def test_a_paper_gains_half_of_the_lead_of_its_best_passage_beyond_that_expected_of_so_many(pf):
    corpus, index = pf.corpus, pf.corpus.full_texts
    n = int((index.papers == 0).sum())
    found = FoundPassages(
        places=np.arange(2),
        papers=np.array([0, 0]),
        cosines=np.array([0.7, 0.9]),
        sparse=np.full(2, np.nan),
    )

    def raised(cosine, **settings):
        none = np.full(2, np.nan)
        hits = MergedHits(np.array([0, 1]), np.zeros((2, 1), np.float32), np.array([cosine, 0.3]), none, 0.0, none)
        return with_full_texts(hits, SearchRequest("x", **settings), found, corpus).dense

    # 0.2 + 0.5 (0.9 - 0.2 - 0.05 ln 7); the paper without a passage keeps its own.
    assert n == 7
    assert raised(0.2) == pytest.approx([0.2 + 0.5 * (0.7 - 0.05 * log(7)), 0.3])
    assert raised(0.85) == pytest.approx([0.85, 0.3])
    assert raised(0.2, sections=(SectionKind.METHOD,)) == pytest.approx([0.9 - 0.05 * log(7), 0.3])
