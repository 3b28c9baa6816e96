import subprocess
import sys

import numpy as np
import pytest

from pathfinder.landscape.projection import projection
from pathfinder.landscape.projection.projection import principal_components, project

pytestmark = pytest.mark.build  # a part of a corpus is drawn or laid out in nearly every test


def topics(n_topics, n_papers, seed=0, dimension=32):
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(n_topics, dimension))
    vectors = centres[np.arange(n_papers) % n_topics] + 0.5 * rng.normal(size=(n_papers, dimension))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("n", [0, 1, 4])
def test_fewer_than_five_papers_make_no_landscape(n):
    assert project(topics(2, 4)[:n], seed=0) is None


@pytest.mark.parametrize("n", [5, 15, 16])
def test_a_corpus_smaller_than_a_neighbourhood_has_a_map(n):
    places = project(topics(2, n), seed=0)
    assert (places.shape, places.dtype) == ((n, 2), np.float32)
    assert np.isfinite(places).all()


def test_the_code_compiled_for_a_layout_is_stored_for_the_next_process():
    project(topics(2, 6), seed=0)
    from umap import umap_

    assert umap_.smooth_knn_dist.stats.cache_path is not None


def test_copies_of_one_paper_have_a_map():
    assert np.isfinite(project(np.repeat(topics(1, 1), 30, axis=0), seed=0)).all()


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_map():
    vectors = topics(4, 120)
    assert project(vectors, seed=3).tobytes() == project(vectors, seed=3).tobytes()
    assert project(vectors, seed=3).tobytes() != project(vectors, seed=4).tobytes()


def test_papers_of_a_topic_lie_together():
    places = project(topics(4, 200), seed=0)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    nearest = np.argmin(apart, axis=1)
    assert np.mean(nearest % 4 == np.arange(200) % 4) > 0.95


def test_of_a_very_large_corpus_a_sample_is_laid_out_and_the_others_stand_by_their_neighbours():
    vectors = topics(4, 200)
    places = project(vectors, seed=0, most=80)
    assert (places.shape, places.dtype) == ((200, 2), np.float32)
    rows = np.sort(np.random.default_rng(0).choice(200, 80, replace=False))
    np.testing.assert_array_equal(places[rows], project(vectors[rows], seed=0))
    centres = np.array([places[topic::4].mean(axis=0) for topic in range(4)])
    nearest = np.linalg.norm(places[:, None] - centres[None], axis=2).argmin(axis=1)
    assert np.mean(nearest == np.arange(200) % 4) > 0.9


def test_a_large_corpus_leaves_the_search_of_neighbours_to_umap():
    components = np.zeros((projection.MAX_EXACT_PAPERS + 1, 2), dtype=np.float32)
    assert projection._neighbours(components, 15) == (None, None, None)


def test_exact_neighbours_begin_with_the_paper_itself():
    near, apart = projection._neighbours(np.array([[0.0], [1.0], [3.0]], dtype=np.float32), 2)
    assert near.tolist() == [[0, 1], [1, 0], [2, 1]]
    assert apart.tolist() == [[0, 1], [0, 1], [0, 2]]


def test_principal_components_keep_distances_and_come_in_the_order_of_their_variance():
    vectors = topics(3, 60, dimension=8)
    components = principal_components(vectors, 8)
    apart = np.linalg.norm(vectors[:, None] - vectors[None], axis=2)
    assert np.linalg.norm(components[:, None] - components[None], axis=2) == pytest.approx(apart, abs=1e-5)
    assert (np.diff(components.var(axis=0)) <= 1e-6).all()
    assert np.array_equal(principal_components(vectors, 3), components[:, :3])


def test_many_blocks_give_the_components_of_one():
    vectors = topics(3, projection.BLOCK_ROWS + 10, dimension=6)
    centred = vectors - vectors.mean(axis=0, dtype=np.float64)
    singular = np.linalg.svd(centred, compute_uv=False)
    components = principal_components(vectors, 6)
    assert len(components) == len(vectors)
    assert np.linalg.norm(components, axis=0) == pytest.approx(singular, rel=1e-4)


def test_opening_and_drawing_a_landscape_imports_no_umap():
    opening = "import sys, pathfinder.landscape.figures.map, pathfinder.landscape.projection.projection"
    serving = f"{opening}; sys.exit('umap' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", serving], check=False).returncode == 0
