import numpy as np
import pytest

from pathfinder.landscape.projection import projection
from pathfinder.landscape.projection.projection import align, measure_drift, project
from tests.landscape.test_projection import topics


def turn_places(places, angle, scale=1.0, mirrored=False):
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flip = np.diag([1, -1]) if mirrored else np.eye(2)
    return (scale * places @ turn @ flip + [3, -7]).astype(np.float32)


@pytest.fixture(scope="module")
def vectors():
    return topics(4, 120)


@pytest.fixture(scope="module")
def places(vectors):
    return project(vectors, seed=0)


def test_too_few_papers_have_no_drift():
    with pytest.raises(ValueError, match="more than 15 papers, got 12"):
        measure_drift(topics(2, 12), np.zeros((12, 2), np.float32), seed=0)


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_map_that_was_turned_mirrored_scaled_and_shifted_is_align_itself(mirrored):
    places = np.random.default_rng(0).normal(size=(40, 2)).astype(np.float32)
    assert align(turn_places(places, 1.1, 2.5, mirrored), places) == pytest.approx(places, abs=1e-4)


def test_maps_that_lie_in_one_point_can_be_align_each_other():
    assert align(np.ones((5, 2), np.float32), np.zeros((5, 2), np.float32)) == pytest.approx(np.zeros((5, 2)))


def test_the_map_as_it_was_laid_out_has_no_drift_however_it_is_turned(vectors, places):
    projection = measure_drift(vectors, turn_places(places, 0.7), seed=0)
    assert (projection.n_papers, projection.median) == (120, pytest.approx(0, abs=1e-5))
    assert projection.root_mean_square == pytest.approx(0, abs=1e-5)
    assert projection.neighbours_kept == pytest.approx(projection.neighbours_kept_afresh, abs=0.01)


def test_one_paper_that_was_moved_drifted_and_the_others_hardly(vectors, places):
    moved = places.copy()
    moved[5] += 0.5 * np.ptp(places)
    projection = measure_drift(vectors, moved, seed=0)
    assert projection.median < 0.02
    assert projection.root_mean_square > 2 * projection.median


def test_a_shuffled_map_has_drifted_and_lost_its_neighbours(vectors, places):
    projection = measure_drift(vectors, np.random.default_rng(0).permutation(places), seed=0)
    assert projection.median > 0.1
    assert projection.ninth_decile >= projection.median
    assert projection.neighbours_kept < 0.3 < projection.neighbours_kept_afresh


def test_of_a_large_corpus_a_sample_is_asked_for_its_neighbours():
    rows = projection._sample(10_000, seed=1)
    assert len(rows) == projection.N_SAMPLED == len(set(rows.tolist()))
    assert (np.diff(rows) > 0).all()
