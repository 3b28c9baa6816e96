import numpy as np
import pytest

from pathfinder.errors import CorpusDamaged
from pathfinder.index.passages import PassageIndex, from_bytes, stored_passages, to_bytes, write_passages
from pathfinder.index.predicate import Predicate
from tests.numbered import ids, numbered


def paper(*angles):
    """Passages whose vectors lie at `angles`, in degrees, on a circle."""
    radians = np.radians(angles)
    vectors = np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)
    return stored_passages([(10 * place, 10 * place + 9) for place in range(len(angles))], vectors)


PAPERS = [paper(0, 90), stored_passages([], np.empty((0, 2), np.float32)), paper(30), paper(60, 10, 80)]
EAST = np.array([1, 0], dtype=np.float32)


@pytest.fixture
def index(tmp_path):
    write_passages(PAPERS, 2, tmp_path / "passages")
    return PassageIndex.open(tmp_path / "passages", numbered(len(PAPERS)))


def test_the_nearest_passages_are_found_with_their_papers(index):
    assert (len(index), index.dimension) == (4, 2)
    ranking = index.search(EAST, 3)
    assert index.papers_of(ranking.rows).tolist() == [0, 3, 2]
    assert ranking.scores == pytest.approx([1, np.cos(np.radians(10)), np.cos(np.radians(30))], abs=1e-3)


def test_a_filter_of_papers_holds_for_their_passages_and_the_list_stays_full(index):
    ranking = index.search(EAST, 2, Predicate(ids=ids(1, 2)))
    assert index.papers_of(ranking.rows).tolist() == [2]
    assert len(index.search(EAST, 2, Predicate(ids=ids(1, 3))).rows) == 2


def test_passages_of_papers_come_one_paper_behind_the_other(index):
    places, owners = index.places_of(np.array([3, 1, 0]))
    assert (places.tolist(), owners.tolist()) == ([3, 4, 5, 0, 1], [0, 0, 0, 2, 2])
    assert index.spans[places].tolist() == [[0, 9], [10, 19], [20, 29], [0, 9], [10, 19]]


def test_what_is_stored_can_be_written_again(index, tmp_path):
    write_passages(index.stored_passages(), 2, tmp_path / "again")
    for path in (tmp_path / "passages").iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_a_record_of_the_journal_holds_a_paper():
    record = from_bytes(to_bytes(PAPERS[3]), 2)
    np.testing.assert_array_equal(record.spans, PAPERS[3].spans)
    np.testing.assert_array_equal(record.vectors, PAPERS[3].vectors)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("starts.npy", np.array([0, 2, 2, 3, 5])),
        ("starts.npy", np.array([0, 4, 2, 3, 6])),
        ("starts.npy", np.array([1, 2, 2, 3, 6])),
        ("spans.npy", np.zeros((5, 2), dtype=np.int32)),
        ("spans.npy", np.zeros((6, 2))),
    ],
)
def test_files_that_do_not_fit_each_other_are_refused(index, tmp_path, name, array):
    np.save(tmp_path / "passages" / name, array)
    with pytest.raises(CorpusDamaged, match="build the corpus again"):
        PassageIndex.open(tmp_path / "passages")
