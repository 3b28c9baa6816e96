import numpy as np
import pytest

from pathfinder.errors import CorpusError
from pathfinder.index.dense import EXACT, LARGE, ROUNDED_QUESTION, DenseIndex, as_stored, write_dense
from pathfinder.index.predicate import EVERY_PAPER, Predicate
from pathfinder.retrieval.lookup.indexes import lowest_cosine
from tests.numbered import ids, numbered


def unit(rng, n, dimension=16):
    vectors = rng.normal(size=(n, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture
def vectors():
    return unit(np.random.default_rng(7), 200)


def large_index(folder, vectors):
    """An index of bytes, and the vectors as they are stored in it."""
    write_dense([vectors], 16, folder / "large.faiss", limit=1.0)
    return DenseIndex.open(folder / "large.faiss"), as_stored(vectors, 1.0)


@pytest.fixture
def index(vectors, tmp_path):
    write_dense([vectors[:90], vectors[90:]], 16, tmp_path / "vectors.faiss")
    return DenseIndex.open(tmp_path / "vectors.faiss", numbered(200))


def test_it_finds_what_plain_numpy_finds(index, vectors):
    question = unit(np.random.default_rng(8), 1)[0]
    ranking = index.search(question, 10)
    expected = np.argsort(-(vectors @ question))[:10]
    assert ranking.rows.tolist() == expected.tolist()
    assert ranking.scores == pytest.approx(vectors[expected] @ question, abs=1e-3)


def test_a_filtered_search_still_returns_a_full_list_and_no_more_than_there_is(index, vectors):
    ranking = index.search(vectors[1], 50, Predicate(ids=ids(*range(0, 200, 4))))
    assert len(ranking.rows) == 50
    assert (ranking.rows % 4 == 0).all()
    assert len(index.search(vectors[1], 10, Predicate(ids=ids())).rows) == 0
    assert sorted(index.search(vectors[1], 1000).rows) == list(range(200))


def test_the_lowest_cosine_is_that_of_the_farthest_paper(index, vectors):
    question = unit(np.random.default_rng(9), 1)[0]
    assert lowest_cosine(question, EVERY_PAPER, index) == pytest.approx((vectors @ question).min(), abs=1e-3)
    first_five = Predicate(ids=ids(*range(5)))
    assert lowest_cosine(question, first_five, index) == pytest.approx((vectors[:5] @ question).min(), abs=1e-3)


def test_vectors_come_back_by_row(index, vectors):
    assert index.vectors(np.array([5, 3])) == pytest.approx(vectors[[5, 3]], abs=1e-3)
    assert index.vectors(np.empty(0, dtype=np.int64)).shape == (0, 16)


def test_an_index_without_papers_finds_nothing(tmp_path):
    write_dense([], 16, tmp_path / "empty.faiss")
    empty = DenseIndex.open(tmp_path / "empty.faiss")
    question = np.eye(16, dtype=np.float32)[0]
    assert len(empty) == 0
    assert len(empty.search(question, 10).rows) == 0
    assert lowest_cosine(question, EVERY_PAPER, empty) == 0


def test_a_file_that_is_no_index_is_refused(tmp_path):
    (tmp_path / "vectors.faiss").write_bytes(b"not an index at all, but long enough to be read")
    with pytest.raises(CorpusError, match=r"vectors\.faiss.*FAISS"):
        DenseIndex.open(tmp_path / "vectors.faiss")


def test_with_a_limit_a_coordinate_takes_one_of_256_steps(tmp_path):
    write_dense([np.array([[0.6, -0.8], [0.0, 1.0]], dtype=np.float32)], 2, tmp_path / "bytes.faiss", limit=0.9)
    index = DenseIndex.open(tmp_path / "bytes.faiss")
    # From -0.9 to 0.9 a step is 1.8 / 255, and a value lies in the middle of its step; 1.0 counts as 0.9.
    step = 1.8 / 255
    assert index.vectors(np.array([0, 1])) == pytest.approx(
        np.array([[212.5 * step - 0.9, 14.5 * step - 0.9], [127.5 * step - 0.9, 255.5 * step - 0.9]]), abs=1e-6
    )


@pytest.mark.parametrize("limit", [None, 0.6])
def test_vectors_that_come_back_from_an_index_are_written_again_without_change(vectors, tmp_path, limit):
    once = as_stored(vectors, limit)
    write_dense([vectors], 16, tmp_path / "once.faiss", limit)
    write_dense([once], 16, tmp_path / "again.faiss", limit)
    assert (tmp_path / "once.faiss").read_bytes() == (tmp_path / "again.faiss").read_bytes()
    np.testing.assert_array_equal(DenseIndex.open(tmp_path / "once.faiss").vectors(np.arange(200)), once)


def test_a_large_index_of_bytes_gives_the_papers_of_an_exact_scan_with_their_exact_cosines(tmp_path):
    vectors = unit(np.random.default_rng(5), LARGE)
    large, own_vectors = large_index(tmp_path, vectors)
    assert large.vectors(np.array([7, LARGE - 1])) == pytest.approx(own_vectors[[7, LARGE - 1]], abs=1e-7)
    exact = own_vectors.astype(np.float64) @ vectors[3]
    ranking = large.search(vectors[3], 100)
    assert ranking.rows.tolist() == np.argsort(-exact, kind="stable")[:100].tolist()
    assert ranking.scores == pytest.approx(exact[ranking.rows], abs=1e-6)
    assert (large.method, DenseIndex.of(vectors[:10]).method) == (ROUNDED_QUESTION, EXACT)


def test_the_single_nearest_paper_of_a_large_index_of_bytes_is_not_lost_to_rounding(tmp_path):
    rng = np.random.default_rng(6)
    # Neighbours so close to each other that a rounded question puts others first.
    vectors = np.eye(16, dtype=np.float32)[0] + rng.normal(scale=0.02, size=(LARGE, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    large, own_vectors = large_index(tmp_path, vectors)
    nearest = [large.search(question, 1).scores[0] for question in vectors[:50]]
    exact = [(own_vectors.astype(np.float64) @ question).max() for question in vectors[:50]]
    assert nearest == pytest.approx(exact, abs=1e-6)


def test_a_filter_that_admits_few_papers_of_a_large_index_of_bytes_returns_all_of_them(tmp_path):
    vectors = np.tile(np.eye(16, dtype=np.float32), (LARGE // 16, 1))
    admits = np.zeros(LARGE, dtype=np.bool_)
    admits[[5, 21, 30]] = True
    # Papers 5 and 21 are the sixth axis, paper 30 is the fifteenth.
    ranking = large_index(tmp_path, vectors)[0].search_masked(vectors[5], 10, admits)
    assert (ranking.rows.tolist(), ranking.scores.tolist()) == ([5, 21, 30], pytest.approx([1, 1, 0], abs=2 / 255))
