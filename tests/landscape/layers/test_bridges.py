"""Bridges: the paper that is planted between two far parts of the map is found, and no other."""

from dataclasses import replace

import numpy as np
import pytest

from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.landscape.data.layer import Layer, UnavailableLayer
from pathfinder.landscape.layers import bridges
from pathfinder.landscape.layers.base import layer
from pathfinder.landscape.layers.bridges import K, blocks, bridges_layer, most_similar
from tests.landscape.blobs import TOPICS, directions, map_data, middle, papers, places, unit

NEAR_BLOB, BESIDE, FAR = 0, 1, 19
"""Blobs: two that lie next to each other, and one at the other end of the map."""


@pytest.fixture(scope="module")
def blob_papers():
    return papers()


def plant_bridge(folder, papers, row, *blobs):
    """The survey with one paper, which lies in the first of `blobs`, as near in meaning to all of them."""
    vectors = directions(len(papers))
    each = len(papers) // len(TOPICS)
    vectors[row] = unit(sum(vectors[blob * each : (blob + 1) * each].mean(axis=0) for blob in blobs)[np.newaxis])[0]
    return map_data(folder, papers, vectors)


def test_without_vectors_there_is_none_and_that_is_said(tmp_path, blob_papers):
    result = bridges_layer(map_data(tmp_path, blob_papers))
    assert isinstance(result, UnavailableLayer)
    assert "vectors" in result.reason


def test_the_paper_between_two_far_regions_is_found_and_nothing_else(tmp_path, blob_papers):
    result = layer(plant_bridge(tmp_path, blob_papers, 5, NEAR_BLOB, FAR), "bridges")
    assert isinstance(result, Layer)
    (mark,) = result.marks
    assert mark.row == 5
    assert mark.text.startswith("On comet tails, 5: between ")
    ((_, title, year, _, _, near, near_there, nearness, paper_id, x, y),) = result.table.rows
    assert (x, y) == pytest.approx((mark.x, mark.y), abs=0.001)
    assert (title, year, paper_id) == ("On comet tails, 5", 2020, "0-5")
    assert near + near_there == K
    assert min(near, near_there) >= 4
    assert nearness == pytest.approx(0.5**0.5, abs=0.05)
    (line,) = result.lines
    # A region of 250 papers is a blob of 150 and most of one beside it: 1.5 from the blob's middle, which are 2 apart.
    ends = line.points[[0, 2]][np.argsort(line.points[[0, 2], 0])]
    assert np.hypot(*(ends - [middle(NEAR_BLOB), middle(FAR)]).T).max() < 1.5


def test_a_paper_between_neighbours_is_no_bridge(tmp_path, blob_papers):
    result = bridges_layer(plant_bridge(tmp_path, blob_papers, 5, NEAR_BLOB, BESIDE))
    assert (result.marks, result.table.rows) == ((), ())


def test_on_a_map_without_bridges_nothing_is_found_and_that_is_said(tmp_path, blob_papers):
    result = bridges_layer(map_data(tmp_path, blob_papers, directions(len(blob_papers))))
    assert (result.marks, result.lines, result.table.rows) == ((), (), ())
    assert result.notes == ("no papers lie between two regions of this map",)


def test_a_paper_that_is_like_nothing_is_no_bridge(tmp_path, blob_papers):
    vectors = directions(len(blob_papers))
    vectors[7] = unit(np.random.default_rng(3).normal(size=(1, vectors.shape[1])))[0]
    assert bridges_layer(map_data(tmp_path, blob_papers, vectors)).table.rows == ()


def test_two_bridges_are_ranked_by_how_evenly_they_lie_before_how_near(tmp_path, blob_papers):
    vectors = directions(len(blob_papers))
    axis = np.eye(len(TOPICS), vectors.shape[1])
    vectors[2] = unit((axis[6] + axis[13])[np.newaxis])[0]
    vectors[5] = unit((axis[NEAR_BLOB] + axis[FAR])[np.newaxis])[0]
    first, second = bridges_layer(map_data(tmp_path, blob_papers, vectors)).table.rows
    assert (first[0], first[8]) == (1, "0-5")
    assert (second[0], second[8]) == (2, "0-2")
    assert min(first[5], first[6]) > min(second[5], second[6])
    assert first[7] < second[7]  # the other is the nearer one, and has the lower row


def test_a_paper_far_from_its_place_keeps_its_place(tmp_path, blob_papers):
    """The line goes by way of where the paper lies."""
    where = places(len(blob_papers))
    where[5] = middle(10)
    data = plant_bridge(tmp_path, blob_papers, 5, NEAR_BLOB, FAR)
    data = bridges_layer(replace(data, coordinates=where))
    assert tuple(data.lines[0].points[1].tolist()) == middle(10)


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
