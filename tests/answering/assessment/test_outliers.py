import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.answering.assessment.assess import (
    MIN_PAPERS,
    OutlierCalibration,
    calibrate,
    find_outliers,
    leave_one_out_distances,
    mean_silhouette,
    outlier_flags,
    split_in_two,
    spread,
)
from pathfinder.errors import CorpusError
from pathfinder.types import MAX_TOP_K, Outliers, Spread


def unit(vectors):
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def topics(n_topics, n_papers, seed=0, scatter=0.6, dimension=48):
    """Make unit vectors around random topics; paper i belongs to topic i % n_topics."""
    rng = np.random.default_rng(seed)
    centres = unit(rng.normal(size=(n_topics, dimension)))
    noise = unit(rng.normal(size=(n_papers, dimension)))
    return unit(centres[np.arange(n_papers) % n_topics] + scatter * noise)


def no_cut_offs():
    return OutlierCalibration(*3 * [(None,) * MAX_TOP_K])


# Bad input first


def test_one_hit_has_no_others_to_lie_apart_from():
    assert find_outliers(unit(np.ones((1, 3))), no_cut_offs()) is None
    assert find_outliers(np.empty((0, 3), dtype=np.float32), no_cut_offs()) is None
    with pytest.raises(ValueError, match="at least 2 vectors, got 1"):
        leave_one_out_distances(unit(np.ones((1, 3))))


def test_more_hits_than_cutoffs_are_refused():
    with pytest.raises(ValueError, match="at most 30 hits, got 31"):
        find_outliers(topics(1, 31), no_cut_offs())


def test_a_corpus_too_small_for_neighbourhoods_flags_nobody():
    calibration = calibrate(topics(3, MIN_PAPERS - 1), seed=0)
    assert calibration == no_cut_offs()
    outliers = find_outliers(topics(3, 4), calibration)
    assert (outliers.cutoff_calibrated, outliers.cutoff_paper) == (None, None)
    assert len(outliers.distances) == 4
    assert outlier_flags(outliers) is None
    assert outlier_flags(None) is None


def test_a_corpus_has_no_cutoff_for_more_neighbours_than_it_has_others():
    calibration = calibrate(topics(3, MIN_PAPERS), seed=0)
    largest = MIN_PAPERS - 1
    assert None not in calibration.calibrated[1:largest] + calibration.paper[:largest] + calibration.broad[1:largest]
    assert set(calibration.calibrated[largest:] + calibration.paper[largest:] + calibration.broad[largest:]) == {None}


def test_copies_of_one_paper_are_no_outliers():
    copies = np.repeat(topics(1, 1), 40, axis=0)
    assert outlier_flags(find_outliers(copies[:10], calibrate(copies, seed=0))) == (False,) * 10


WHOLE = {"calibrated": [None] * 30, "paper": [None] * 30, "broad": [None] * 30}
DAMAGED_FILES = {
    "empty": "",
    "not JSON": "{",
    "a list": "[]",
    "no cut-offs": "{}",
    "29 of them": json.dumps(WHOLE | {"calibrated": [None] * 29}),
    "beyond the sphere": json.dumps(WHOLE | {"calibrated": [2.1] * 30}),
    "below nothing": json.dumps(WHOLE | {"broad": [-0.05] * 30}),
    "not a number": json.dumps(WHOLE | {"paper": [float("nan")] * 30}),
    "text": json.dumps(WHOLE | {"calibrated": ["0.7"] * 30}),
    "something more": json.dumps(WHOLE | {"gamma": 0.25}),
}


def test_the_file_that_the_damaged_ones_differ_from_is_whole():
    assert OutlierCalibration.from_json(json.dumps(WHOLE)) == no_cut_offs()


@pytest.mark.parametrize("text", DAMAGED_FILES.values(), ids=DAMAGED_FILES.keys())
def test_a_damaged_file_of_cutoffs_is_refused_in_one_line(text):
    with pytest.raises(CorpusError, match="build the corpus again") as error:
        OutlierCalibration.from_json(text)
    assert "\n" not in str(error.value)


# The statistic


def test_three_hits_at_right_angles():
    # (1, 0, 0) from the midpoint of (0, 1, 0) and (0, 0, 1): sqrt(1 + 1/4 + 1/4)
    assert leave_one_out_distances(np.eye(3)).tolist() == pytest.approx([np.sqrt(1.5)] * 3)


@given(k=st.integers(2, 30), seed=st.integers(0, 2**32 - 1))
def test_the_closed_form_is_the_distance_to_the_centroid_of_the_others(k, seed):
    vectors = unit(np.random.default_rng(seed).normal(size=(k, 16)))
    naive = [np.linalg.norm(vectors[i] - np.delete(vectors, i, axis=0).mean(axis=0)) for i in range(k)]
    assert leave_one_out_distances(vectors) == pytest.approx(np.array(naive), abs=1e-5)


def test_many_sets_at_once_are_many_sets():
    sets = topics(2, 24).reshape(4, 6, -1)
    assert np.array_equal(leave_one_out_distances(sets), [leave_one_out_distances(hits) for hits in sets])


# The cut-offs


def test_the_published_cutoff_is_d95_of_neighbour_distances_less_a_tenth():
    vectors = topics(2, 20)
    apart = np.linalg.norm(vectors[:, None] - vectors[None], axis=-1)
    nearest = np.sort(apart, axis=1)[:, 1:4]
    assert calibrate(vectors, seed=0).paper[2] == pytest.approx(np.percentile(nearest, 95) - 0.1, abs=1e-5)


def test_the_calibrated_cutoff_is_the_95th_percentile_over_neighbourhoods():
    vectors = topics(2, 20)
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, -np.inf)
    hoods = [vectors[np.argsort(-row)[:3]] for row in similarity]
    statistic = [leave_one_out_distances(hood) for hood in hoods]
    assert calibrate(vectors, seed=0).calibrated[2] == pytest.approx(np.percentile(statistic, 95), abs=1e-5)


@pytest.mark.parametrize("k", [5, 10, 30])
def test_broad_begins_between_neighbourhoods_and_random_papers(k):
    vectors = topics(20, 2000)
    broad = calibrate(vectors, seed=0).broad[k - 1]
    neighbours = vectors[np.argsort(-(vectors @ vectors[3]))[1 : k + 1]]
    anywhere = vectors[np.random.default_rng(1).choice(2000, size=k, replace=False)]
    assert np.median(leave_one_out_distances(neighbours)) < broad < np.median(leave_one_out_distances(anywhere))


def test_the_same_seed_calibrates_the_same():
    vectors = topics(20, 1200)
    assert calibrate(vectors, seed=1) == calibrate(vectors, seed=1)
    assert calibrate(vectors, seed=1) != calibrate(vectors, seed=2)


def test_cutoffs_come_back_from_their_file_as_they_were():
    calibration = calibrate(topics(5, 100), seed=0)
    assert OutlierCalibration.from_json(calibration.to_json()) == calibration
    assert OutlierCalibration.from_json(no_cut_offs().to_json()) == no_cut_offs()


@pytest.mark.parametrize("k", [5, 10, 30])
def test_about_one_healthy_hit_in_twenty_is_flagged(k):
    vectors = topics(20, 2000)
    calibration = calibrate(vectors, seed=0)
    flags = []
    for row in np.random.default_rng(7).choice(2000, size=200, replace=False):
        others = vectors @ vectors[row]
        others[row] = -np.inf
        flags += outlier_flags(find_outliers(vectors[np.argsort(-others)[:k]], calibration))
    assert 0.03 < np.mean(flags) < 0.07


def test_a_paper_of_another_topic_is_flagged_and_the_others_are_not():
    vectors = topics(20, 2000)
    nearest = np.argsort(-(vectors @ vectors[0]))[1:10]
    hits = np.vstack([vectors[nearest], vectors[1:2]])  # nine of topic 0, one of topic 1
    flags = outlier_flags(find_outliers(hits, calibrate(vectors, seed=0)))
    assert flags[-1]
    assert sum(flags[:-1]) <= 2


def test_only_the_calibrated_cutoff_decides():
    assert outlier_flags(Outliers((0.5, 0.7, 0.7 + 1e-4), cutoff_calibrated=0.7, cutoff_paper=0.1)) == (
        False,
        False,
        True,
    )


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
