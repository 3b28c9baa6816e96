"""Abbreviations and other names that every search knows."""

import pytest

from pathfinder.building import build
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import HashEmbedder
from pathfinder.retrieval.expansion.synonyms import OF_PAPERS, expand, other_names, with_other_names
from pathfinder.types import RetrievalMode, SearchRequest
from tests.building.conftest import GALAXIES, PLANETS, WordsAsKeywords, write


def names(question: str, pf: Pathfinder) -> dict[str, tuple[str, ...]]:
    return {entry.term: entry.names for entry in expand(question, other_names(pf.corpus))}


@pytest.mark.parametrize(
    ("question", "term", "other"),
    [
        ("What powers an AGN?", "AGN", "active galactic nuclei"),
        ("agn", "agn", "active galactic nuclei"),
        ("active galactic nuclei", "active galactic nuclei", "AGN"),
        ("Sgr A*", "Sgr A*", "Sagittarius A*"),
        ("sgr a*", "sgr a*", "Sagittarius A*"),
        ("M31", "M31", "NGC 224"),
        ("m 31", "m 31", "Andromeda Galaxy"),
        ("the Andromeda Galaxy", "Andromeda Galaxy", "M31"),
        ("Crab Nebula", "Crab Nebula", "NGC 1952"),
        ("images by the HST", "HST", "Hubble Space Telescope"),
    ],
)
def test_a_name_finds_the_others_both_ways(question, term, other, pf):
    assert other in names(question, pf)[term]


@pytest.mark.parametrize("question", ["how to act", "the vega of RR Lyrae", "our galaxy", "a fast cat"])
def test_a_word_is_no_acronym_and_no_name_is_cut_to_a_common_word(question, pf):
    found = [name for others in names(question, pf).values() for name in others]
    assert not {"Atacama Cosmology Telescope", "our Galaxy", "α Lyrae"} & {*found}


@pytest.mark.parametrize(
    ("question", "searched"),
    [
        ("HST", "HST (Hubble Space Telescope)"),
        (" Crab Nebula? ", "Crab Nebula (M1, NGC 1952, SN 1054)"),
        ("How old is the Crab Nebula?", "How old is the Crab Nebula?"),
        ("dust", "dust"),
    ],
)
def test_a_question_that_is_nothing_but_a_name_is_searched_with_its_other_names(question, searched, pf):
    expansions = expand(question, other_names(pf.corpus))
    assert with_other_names(SearchRequest(question), expansions).query == searched


def test_synonyms_that_the_reader_asks_for_change_no_question(pf):
    request = SearchRequest("HST", expands=True)
    assert with_other_names(request, expand("HST", other_names(pf.corpus))) == request


@pytest.mark.build
def test_papers_define_abbreviations_and_a_click_leaves_them_out(tmp_path):
    define = {**GALAXIES, "abstract": "Young wobbly blobs (YWBs) in a sample of galaxies."}
    use = {**PLANETS, "id": "use", "abstract": "A YWB in transit."}
    build(
        [write(tmp_path / "papers.jsonl", define, use, PLANETS)],
        tmp_path / "corpus",
        HashEmbedder(16),
        extractor=WordsAsKeywords(),
    )
    pf = Pathfinder.open(tmp_path / "corpus")
    result = pf.search("young wobbly blobs", sides=RetrievalMode.SPARSE)
    assert [(e.term, e.names, e.source) for e in result.expansions] == [("young wobbly blobs", ("YWB",), OF_PAPERS)]
    assert {hit.paper.paper_id for hit in result.hits} == {"galaxies", "use"}
    plain = pf.search("young wobbly blobs", sides=RetrievalMode.SPARSE, finds_other_names=False)
    assert plain.expansions == ()
    assert {hit.paper.paper_id for hit in plain.hits} == {"galaxies"}
