"""Ids that mean a paper only within their file do not make two papers one."""

from dataclasses import replace

import pytest

from pathfinder.corpus.merging.local_ids import LocalIds, is_local
from pathfinder.types import Paper


def paper(title, paper_id="smith2020"):
    return Paper(paper_id, title, "")


@pytest.mark.parametrize(
    ("paper", "expected"),
    [
        (Paper("smith2020", "Dust", ""), True),
        (Paper("3", "Dust", "", doi="10.1/x"), True),
        (Paper("10.1/X", "Dust", "", doi="10.1/x"), False),
        (Paper("2001.00001", "Dust", ""), False),
        (Paper("2020A&A...641A...6P", "Dust", ""), False),
        (Paper("W2741809807", "Dust", ""), False),
        (Paper("s2:7", "Dust", "", other_ids=("s2:7",)), False),
    ],
)
def test_a_citation_key_is_local_and_an_identifier_is_not(paper, expected):
    assert is_local(paper) is expected


def test_the_same_id_in_another_file_is_the_same_paper_only_with_the_same_title():
    ids = LocalIds()
    assert ids.id_of(paper("Dust in spirals"), 0, "a.bib") == "smith2020"
    assert ids.id_of(paper("{Dust} in Spirals"), 1, "b.bib") == "smith2020"
    assert ids.id_of(paper("Gas"), 1, "b.bib") == "smith2020@b.bib"
    assert ids.id_of(paper("Stars"), 2, "b.bib") == "smith2020@b.bib-2"
    assert ids.id_of(paper("星"), 3, "c.bib") == "smith2020@c.bib"


def test_an_id_that_one_file_gives_to_several_papers_is_that_of_the_first():
    titles = ["Dust", "Gas", "Stars", "gas", "Dust", "Stars", "Planets"]
    own = ["smith2020@a.bib", "smith2020@a.bib-2", "smith2020@a.bib-3"]
    stored = ["smith2020", own[0], own[1], own[0], "smith2020", own[1], own[2]]
    ids = LocalIds()
    assert [ids.id_of(paper(title), 0, "a.bib") for title in titles] == stored
    corpus = LocalIds(dict(zip(stored, titles, strict=True)).get)
    assert [corpus.id_of(paper(title), 0, "a.bib", was_read_before=True) for title in titles] == stored


def test_a_doi_that_one_file_gives_to_two_papers_is_mistaken_unless_author_and_year_agree():
    first = Paper("10.1234/x", "Dust", "", authors=("Roe, A.",), year=2001, doi="10.1234/x")
    titles = ({"title": "DUST."}, {"title": "Another wording"}, {"title": "G", "year": 1990})
    others = [replace(first, **changes) for changes in titles]
    ids = LocalIds()
    stored = [ids.id_of(each, 0, "a.bib") for each in (first, *others)]
    assert stored == ["10.1234/x", "10.1234/x", "10.1234/x", "10.1234/x@a.bib"]
    assert ids.id_of(others[2], 1, "b.bib") == "10.1234/x"


def test_a_paper_of_the_corpus_is_reworded_only_by_a_file_that_the_corpus_was_built_from():
    titles = {"smith2020": "Dust", "smith2020@b.bib": "Gas"}
    assert LocalIds(titles.get).id_of(paper("Dust, again"), 0, "a.bib", was_read_before=True) == "smith2020"
    assert LocalIds(titles.get).id_of(paper("Gas, again"), 0, "b.bib", was_read_before=True) == "smith2020@b.bib"
    assert LocalIds(titles.get).id_of(paper("Stars"), 0, "c.bib") == "smith2020@c.bib"
