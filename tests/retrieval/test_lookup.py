import numpy as np
import pytest

from pathfinder.facade import Pathfinder
from pathfinder.index.ports import NO_HITS, Ranking
from pathfinder.index.predicate import EVERY_PAPER
from pathfinder.retrieval.lookup.indexes import Rankings, unite

DENSE = Ranking(np.array([4, 2]), np.array([0.5, 0.4]))
SPARSE = Ranking(np.array([2, 7]), np.array([9.0, 3.0]))
FLOORS = Ranking(np.array([9, 2]), np.array([0.7, 0.3]))
ROUNDING = 0.005
"""A stored coordinate is off by at most 0.6 / 255 / 2, and the square of a vector's length by a few thousandths."""


def test_nothing_united_with_nothing_is_nothing(pf: Pathfinder) -> None:
    assert len(unite(Rankings(NO_HITS, NO_HITS, None, EVERY_PAPER), pf.corpus.dense).rows) == 0


def test_both_lists_are_one_with_a_cosine_for_every_paper(pf: Pathfinder) -> None:
    (vector,) = pf.corpus.dense.vectors(np.array([4]))
    united = unite(Rankings(DENSE, SPARSE, vector, EVERY_PAPER), pf.corpus.dense)
    assert united.rows.tolist() == [2, 4, 7]
    np.testing.assert_array_equal(united.sparse, [9.0, np.nan, 3.0])
    assert united.dense[1] == pytest.approx(1, abs=ROUNDING)
    assert united.floors.tolist() == [0, 0, 0]


def test_papers_that_other_questions_found_come_in_with_their_lift(pf: Pathfinder) -> None:
    (vector,) = pf.corpus.dense.vectors(np.array([9]))
    united = unite(Rankings(DENSE, SPARSE, vector, EVERY_PAPER, score_floors=FLOORS), pf.corpus.dense)
    assert united.rows.tolist() == [2, 4, 7, 9]
    assert united.floors.tolist() == [0.3, 0, 0, 0.7]
    assert united.dense[3] == pytest.approx(1, abs=ROUNDING)
    assert np.isnan(united.sparse[3])
