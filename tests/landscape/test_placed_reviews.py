import numpy as np
import pytest

from pathfinder.errors import CorpusDamaged
from pathfinder.landscape.data.placed_reviews import ListedReview, open_placed, place_reviews, with_place, write_reviews
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
    with pytest.raises(CorpusDamaged, match="build again with --reviews FILE"):
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
