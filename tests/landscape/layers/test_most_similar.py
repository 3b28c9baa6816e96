"""The papers that are most alike many others: those that a search for each finds, in one pass."""

import numpy as np
import pytest

from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.landscape.layers import bridges
from pathfinder.landscape.layers.bridges import blocks, most_similar
from tests.landscape.blobs import unit

N = 50
VECTORS = unit(np.random.default_rng(0).normal(size=(N, 8)))


@pytest.fixture(params=[7, 8192])
def dense(tmp_path, monkeypatch, request):
    """The index of the vectors, read in small blocks or at once."""
    monkeypatch.setattr(bridges, "BLOCK_ROWS", request.param)
    write_dense([VECTORS], VECTORS.shape[1], tmp_path / "dense.faiss")
    return DenseIndex.open(tmp_path / "dense.faiss")


def test_of_few_papers_all_others_are_found(dense):
    near, cosines = most_similar(dense, N, np.array([3, 4]), 200)
    assert near.shape == cosines.shape == (2, N - 1)
    assert sorted(near[0].tolist()) == [row for row in range(N) if row != 3]


def test_each_paper_has_the_neighbours_that_a_search_for_it_finds_but_itself(dense):
    rows = np.array([49, 0, 20, 6, 7])
    near, cosines = most_similar(dense, N, rows, 4)
    for row, neighbours, likeness in zip(rows, near, cosines, strict=True):
        searched = dense.search(dense.vectors(np.array([row]))[0], 5)
        assert searched.rows[0] == row
        assert neighbours.tolist() == searched.rows[1:].tolist()
        assert likeness == pytest.approx(searched.scores[1:], abs=1e-6)


def test_every_paper_is_read_once_in_order(dense):
    rows, vectors = zip(*blocks(dense, N), strict=True)
    assert np.concatenate(rows).tolist() == list(range(N))
    assert np.concatenate(vectors) == pytest.approx(VECTORS, abs=1e-3)
