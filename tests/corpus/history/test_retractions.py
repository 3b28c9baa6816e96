"""The list of Retraction Watch, with the rows that it has in practice."""

import pytest

from pathfinder.corpus.history.retractions import Retractions, open_retractions, read_retractions, write_list
from pathfinder.errors import CorpusError
from pathfinder.types import Paper

HEAD = "Record ID,Title,RetractionDate,RetractionDOI,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature\n"


def retracted_names(path, *rows):
    path.write_text(HEAD + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return read_retractions(path).names


def test_a_retracted_paper_is_listed_by_doi_and_pubmed_id_and_no_correction_or_concern_is(tmp_path):
    rows = (
        '1,"Galaxies, young",5/31/2021 0:00,10.1/NOTICE,10.1/ABC,123,Retraction',
        "1,A,5/31/2021 0:00,unavailable,Unavailable,0,Retraction",
        "2,B,5/31/2021 0:00,10.1/n,10.1/b,0,Correction",
        "3,C,5/31/2021 0:00,10.1/n,10.1/c,0,Expression of concern",
    )
    assert retracted_names(tmp_path / "list.csv", *rows) == {"doi:10.1/abc", "pmid:123"}


@pytest.mark.parametrize(
    ("retraction_day", "reinstatement_day", "expected"),
    [("1/2/2020 0:00", "3/4/2021 0:00", []), ("5/6/2022 0:00", "3/4/2021 0:00", ["doi:10.1/a"]), ("", "", [])],
)
def test_a_paper_counts_as_its_latest_entry_says(tmp_path, retraction_day, reinstatement_day, expected):
    rows = (f"1,A,{retraction_day},,10.1/a,0,Retraction", f"2,A,{reinstatement_day},,10.1/A,0,Reinstatement")
    assert sorted(retracted_names(tmp_path / "list.csv", *rows)) == expected


def test_another_table_is_refused(tmp_path):
    (tmp_path / "list.csv").write_text("doi,title\n10.1/a,A\n")
    with pytest.raises(CorpusError, match="has no column 'RetractionNature'"):
        read_retractions(tmp_path / "list.csv")


@pytest.mark.parametrize(
    ("status", "says", "expected"),
    [
        (None, None, ("retracted", "retraction-watch")),
        ("withdrawn", "arxiv", ("retracted", "retraction-watch")),
        ("retracted", "openalex", ("retracted", "openalex, retraction-watch")),
        ("retracted", "publisher, retraction-watch", ("retracted", "publisher, retraction-watch")),
    ],
)
def test_a_mark_says_who_gives_it(status, says, expected):
    paper = Paper("a", "A", "", doi="10.1/A", status=status, status_from=says)
    marked_paper = Retractions(frozenset({"doi:10.1/a"})).mark(paper)
    assert (marked_paper.status, marked_paper.status_from) == expected
    assert Retractions(frozenset({"doi:10.1/a"})).mark(marked_paper) == marked_paper


def test_a_mark_goes_with_the_entry_and_those_of_others_stay():
    watched_paper = Paper("a", "A", "", doi="10.1/A", status="retracted", status_from="retraction-watch")
    others = Paper("a", "A", "", doi="10.1/A", status="retracted", status_from="openalex")
    assert Retractions().mark(watched_paper).status is None
    assert Retractions().mark(others) == others


def test_a_list_is_read_back_as_it_was_written(tmp_path):
    retractions = Retractions(frozenset({"doi:10.1/a", "pmid:1"}))
    write_list(retractions, tmp_path / "list.json")
    assert open_retractions(tmp_path / "list.json") == retractions
