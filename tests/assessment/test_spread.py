import numpy as np
import pytest

from pathfinder.assessment.spread import mean_silhouette, split_in_two, spread
from pathfinder.types import Outliers, Spread

CUTOFF = 0.75


def around(*centres_and_counts, scatter=0.5, seed=0, dimension=64):
    """Unit vectors around unit axes: `around((0, 6), (1, 4))` are six about axis 0 and four about axis 1."""
    rng = np.random.default_rng(seed)
    vectors = []
    for axis, count in centres_and_counts:
        noise = rng.normal(size=(count, dimension))
        vectors.append(np.eye(dimension)[axis] + scatter * noise / np.linalg.norm(noise, axis=1, keepdims=True))
    stacked = np.vstack(vectors)
    return stacked / np.linalg.norm(stacked, axis=1, keepdims=True)


def outliers_of(n, n_apart, cutoff=CUTOFF):
    return Outliers((0.9,) * n_apart + (0.5,) * (n - n_apart), cutoff_calibrated=cutoff, cutoff_paper=0.8)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_fewer_than_four_hits_have_no_shape(n):
    assert spread(around((0, 4))[:n], None) is None


def test_without_a_cutoff_one_cluster_and_broad_cannot_be_told_apart_but_two_can():
    small_corpus = outliers_of(8, 0, cutoff=None)
    assert spread(around((0, 8)), small_corpus) is None
    assert spread(around((0, 4), (1, 4)), small_corpus) is Spread.TWO_CLUSTERS


@pytest.mark.parametrize("n", [4, 5, 10, 20, 30])
def test_hits_around_one_topic_are_one_cluster(n):
    assert spread(around((0, n)), outliers_of(n, n // 2)) is Spread.ONE_CLUSTER


@pytest.mark.parametrize("n", [4, 5, 10, 20, 30])
def test_hits_around_two_topics_are_two_clusters(n):
    assert spread(around((0, n // 2), (1, n - n // 2)), outliers_of(n, n)) is Spread.TWO_CLUSTERS


@pytest.mark.parametrize("n", [4, 5, 10, 20, 30])
def test_hits_of_as_many_topics_as_hits_are_broad(n):
    everywhere = around(*((axis, 1) for axis in range(n)))
    assert spread(everywhere, outliers_of(n, n)) is Spread.BROAD


def test_broad_begins_above_half_of_the_hits():
    hits = around((0, 10))
    assert spread(hits, outliers_of(10, 5)) is Spread.ONE_CLUSTER
    assert spread(hits, outliers_of(10, 6)) is Spread.BROAD


def test_two_stray_hits_of_ten_are_outliers_and_no_second_cluster():
    assert spread(around((0, 8), (1, 2)), outliers_of(10, 2)) is Spread.ONE_CLUSTER
    assert spread(around((0, 7), (1, 3)), outliers_of(10, 3)) is Spread.TWO_CLUSTERS


def test_copies_of_one_paper_are_one_cluster():
    assert spread(np.repeat(around((0, 1)), 6, axis=0), outliers_of(6, 0)) is Spread.ONE_CLUSTER


def test_the_order_of_the_hits_does_not_matter():
    hits = around((0, 5), (1, 5), scatter=0.9)
    shuffled = hits[np.random.default_rng(3).permutation(10)]
    assert spread(hits, outliers_of(10, 0)) is spread(shuffled, outliers_of(10, 0))


def test_the_split_of_two_pairs():
    sides = split_in_two(np.array([[1.0, 0.1], [0.1, 1.0], [1.0, 0.0], [0.0, 1.0]]))
    assert sides[0] == sides[2] != sides[1] == sides[3]


def test_the_silhouette_of_two_pairs_by_hand():
    # cosine distances: 0.2 within a pair, 1.0 across: (1 - 0.2) / 1 for each
    a, b = [1.0, 0, 0, 0], [0.8, 0.6, 0, 0]
    c, d = [0, 0, 1.0, 0], [0, 0, 0.8, 0.6]
    assert mean_silhouette(np.array([a, b, c, d]), np.array([True, True, False, False])) == pytest.approx(0.8)
    # mixed up: a is 1.0 from its mate c, and (0.2 + 1.0) / 2 from b and d: (0.6 - 1) / 1
    assert mean_silhouette(np.array([a, b, c, d]), np.array([True, False, True, False])) == pytest.approx(-0.4)
