import gzip
import json

import pytest

from pathfinder.errors import CorpusError
from pathfinder.landscape.data.placed_reviews import read_reviews
from pathfinder.text.identifiers import identifier_key


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
