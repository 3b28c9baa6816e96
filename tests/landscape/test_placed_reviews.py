import gzip
import json

import numpy as np
import pytest

from pathfinder.errors import CorpusDamaged, CorpusError
from pathfinder.landscape.data.placed_reviews import (
    ListedReview,
    open_placed,
    place_reviews,
    read_reviews,
    with_place,
    write_reviews,
)
from pathfinder.text.identifiers import identifier_key
from pathfinder.types import Paper
from tests.landscape.planted import table

PAPERS = table(
    [
        Paper("p0", "A", "", arxiv_id="1403.0007v1"),
        Paper("p1", "B", "", doi="10.1/B", is_review=True, year=2019),
        Paper("p2", "C", "", is_review=True),
    ]
)
PLACES = np.array([[0, 0], [1, 1], [2, 2]], dtype=np.float32)
REVIEWS = (
    ListedReview("Far", 2001, ("x",), "X"),
    ListedReview("In it", 2014, ("other", "1403.0007"), "arXiv:1403.0007"),
    ListedReview("Nowhere", None),
)
ELSEWHERE = np.array([[5, 6], [np.nan, np.nan]], dtype=np.float32)


@pytest.fixture
def placed():
    return place_reviews(PAPERS, PLACES, REVIEWS, ELSEWHERE)


@pytest.mark.parametrize("content", [b"", b"{}", b'[{"title": "x"}]', b'[{"title": NaN}]'])
def test_what_is_no_list_is_refused_with_the_way_out(tmp_path, content):
    (tmp_path / "reviews.json").write_bytes(content)
    with pytest.raises(CorpusDamaged, match="--reviews FILE"):
        open_placed(tmp_path / "reviews.json", 3)


def test_a_row_beyond_the_papers_is_refused(tmp_path, placed):
    write_reviews(placed, tmp_path / "reviews.json")
    with pytest.raises(CorpusDamaged, match="beyond the 1 papers"):
        open_placed(tmp_path / "reviews.json", 1)


def test_a_review_of_the_corpus_is_where_its_paper_is_and_another_where_it_was_placed(placed):
    assert [(review.title, review.row, review.x, review.y) for review in placed] == [
        ("Far", None, 5.0, 6.0),
        ("In it", 0, 0.0, 0.0),
        ("Nowhere", None, None, None),
        ("B", 1, 1.0, 1.0),
        ("C", 2, 2.0, 2.0),
    ]


def test_papers_that_are_marked_as_reviews_count_and_are_not_of_the_list(placed):
    assert [review.is_listed for review in placed] == [True, True, True, False, False]
    assert [review.year for review in placed[3:]] == [2019, None]


def test_a_review_without_a_place_is_not_on_the_map(placed):
    assert [review.title for review in with_place(placed)] == ["Far", "In it", "B", "C"]


def test_reviews_come_back_as_they_were(tmp_path, placed):
    write_reviews(placed, tmp_path / "a.json")
    assert open_placed(tmp_path / "a.json", 3) == placed
    assert placed[1].as_given == REVIEWS[1]


def write(path, *lines):
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("content", ["", "\n\n", "[]", "{", '{"year": 2020}', '{"title": " "}', '{"title": 1.5}'])
def test_a_file_without_a_review_is_refused_with_what_to_bring(tmp_path, content):
    with pytest.raises(CorpusError, match=r"contains no reviews.*use JSON lines"):
        read_reviews(write(tmp_path / "list.jsonl", content))


def test_a_file_that_is_not_there_or_a_folder_is_refused(tmp_path):
    with pytest.raises(CorpusError, match="does not exist"):
        read_reviews(tmp_path / "none.jsonl")
    with pytest.raises(CorpusError, match="is a folder"):
        read_reviews(tmp_path)


def test_lines_that_are_no_reviews_are_rejected_with_their_number(tmp_path):
    path = write(tmp_path / "list.jsonl", {"title": "Good"}, "", "nonsense", {"title": "Bad", "year": "soon"})
    review_list = read_reviews(path)
    assert [review.title for review in review_list.reviews] == ["Good"]
    assert [(row.line, row.file) for row in review_list.rejected_rows] == [(3, "list.jsonl"), (4, "list.jsonl")]
    assert "not a valid date" in review_list.rejected_rows[1].reason


def test_a_review_is_read_with_its_year_and_all_its_identifiers(tmp_path):
    record = {
        "title": "On  stars",
        "year": "1998",
        "bibcode": "1998Rev..36..189K",
        "identifier": ["arXiv:astro-ph/9807187", "10.48550/arXiv.astro-ph/9807187", "10.1146/X.1"],
    }
    path = tmp_path / "list.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(record).encode()))
    (review,) = read_reviews(path).reviews
    assert (review.title, review.year, review.known_as) == ("On stars", 1998, "1998Rev..36..189K")
    assert review.identifiers == ("1998rev..36..189k", "astro-ph/9807187", "10.1146/x.1")


@pytest.mark.parametrize("text", ["1403.0007", "arXiv:1403.0007", "10.48550/arXiv.1403.0007", "arxiv:1403.0007v2"])
def test_all_spellings_of_an_identifier_are_one(text):
    assert identifier_key(text) == "1403.0007"


def test_a_doi_is_one_as_a_link_and_alone():
    assert identifier_key("https://doi.org/10.1/AbC") == identifier_key("doi:10.1/abc") == "10.1/abc"
