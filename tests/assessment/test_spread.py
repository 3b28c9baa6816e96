import numpy as np
import pytest

from pathfinder.assessment.assess import (
    OutlierCalibration,
    leave_one_out_distances,
    mean_silhouette,
    split_in_two,
    spread,
)
from pathfinder.types import MAX_TOP_K, Spread


def around(*centres_and_counts, scatter=0.5, seed=0, dimension=64):
    """Make unit vectors around unit axes: `around((0, 6), (1, 4))` gives six around axis 0 and four around axis 1."""
    rng = np.random.default_rng(seed)
    vectors = []
    for axis, count in centres_and_counts:
        noise = rng.normal(size=(count, dimension))
        vectors.append(np.eye(dimension)[axis] + scatter * noise / np.linalg.norm(noise, axis=1, keepdims=True))
    matrix = np.vstack(vectors)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def broad_above(distance):
    """Return the calibration of a corpus in which a result with a median distance above `distance` is broad."""
    no_cut_offs = (None,) * MAX_TOP_K
    return OutlierCalibration(calibrated=no_cut_offs, paper=no_cut_offs, broad=(distance,) * MAX_TOP_K)


CORPUS = broad_above(0.75)
SMALL_CORPUS = broad_above(None)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_fewer_than_four_hits_have_no_shape(n):
    assert spread(around((0, 4))[:n], CORPUS) is None


def test_in_a_small_corpus_one_cluster_and_broad_cannot_be_told_apart_but_two_can():
    assert spread(around((0, 8)), SMALL_CORPUS) is None
    assert spread(around((0, 4), (1, 4)), SMALL_CORPUS) is Spread.TWO_CLUSTERS


@pytest.mark.parametrize("n", [4, 5, 10, 20, 30])
def test_hits_around_one_topic_are_one_cluster(n):
    assert spread(around((0, n)), CORPUS) is Spread.ONE_CLUSTER


@pytest.mark.parametrize("n", [4, 5, 10, 20, 30])
def test_hits_around_two_topics_are_two_clusters(n):
    assert spread(around((0, n // 2), (1, n - n // 2)), CORPUS) is Spread.TWO_CLUSTERS


@pytest.mark.parametrize("n", [4, 5, 10, 20, 30])
def test_hits_of_as_many_topics_as_hits_are_broad(n):
    everywhere = around(*((axis, 1) for axis in range(n)))
    assert spread(everywhere, CORPUS) is Spread.BROAD


def test_the_median_hit_decides_where_broad_begins():
    hits = around((0, 10))
    median = np.median(leave_one_out_distances(hits))
    assert spread(hits, broad_above(median + 1e-6)) is Spread.ONE_CLUSTER
    assert spread(hits, broad_above(median - 1e-6)) is Spread.BROAD


def test_two_stray_hits_of_ten_are_outliers_and_no_second_cluster():
    assert spread(around((0, 8), (1, 2)), CORPUS) is Spread.ONE_CLUSTER
    assert spread(around((0, 7), (1, 3)), CORPUS) is Spread.TWO_CLUSTERS


def test_copies_of_one_paper_are_one_cluster():
    assert spread(np.repeat(around((0, 1)), 6, axis=0), CORPUS) is Spread.ONE_CLUSTER


def test_the_order_of_the_hits_does_not_matter():
    hits = around((0, 5), (1, 5), scatter=0.9)
    shuffled_hits = hits[np.random.default_rng(3).permutation(10)]
    assert spread(hits, CORPUS) is spread(shuffled_hits, CORPUS)


def test_the_split_of_two_pairs():
    sides = split_in_two(np.array([[1.0, 0.1], [0.1, 1.0], [1.0, 0.0], [0.0, 1.0]]))
    assert sides[0] == sides[2] != sides[1] == sides[3]


def test_the_silhouette_of_two_pairs_by_hand():
    # cosine distances: 0.2 within a pair, 1.0 across: (1 - 0.2) / 1 for each
    a, b = [1.0, 0, 0, 0], [0.8, 0.6, 0, 0]
    c, d = [0, 0, 1.0, 0], [0, 0, 0.8, 0.6]
    assert mean_silhouette(np.array([a, b, c, d]), np.array([True, True, False, False])) == pytest.approx(0.8)
    # mixed up: a is 1.0 from its partner c, and (0.2 + 1.0) / 2 from b and d: (0.6 - 1) / 1
    assert mean_silhouette(np.array([a, b, c, d]), np.array([True, False, True, False])) == pytest.approx(-0.4)
