"""Quality of a corpus's map: how well it preserves neighbourhoods, what it costs, and whether it is drawn as promised.

    python -m benchmarks.landscape CORPUS
    python -m benchmarks.landscape CORPUS quality [--dimensions 50,100,200] [--seeds 3]
    python -m benchmarks.landscape CORPUS cost [--points 350000]
    python -m benchmarks.landscape CORPUS drawing
    python -m benchmarks.landscape CORPUS placing

quality, by number of principal components, compared with plain UMAP on the vectors themselves, over several seeds:
- trustworthiness (Venna & Kaski 2001), k = 15, of 5,000 papers (the same for every map) among all papers: 1 if all
  neighbours on the map are neighbours by vector, 0.5 by chance. Target: at most 0.005 below plain UMAP.
- recall: the share of a paper's 15 nearest neighbours by vector that are among its 15 nearest on the map.
- triplets: for three random papers a, b and c, how often the map shows correctly whether b or c is nearer to a;
  0.5 by chance.

cost: seconds and peak memory of everything that is computed and drawn, from coordinates to tiles, in a separate
process. The layers are those that the build stores, with the groups from which they are computed; the full set needs
the corpus's thesaurus and reviews. Targets: 90 s for 16,659 papers; 6 minutes and 5 GB for 350,000, which are
repetitions of the corpus's own papers, each copy with noise so that its cosine to the original is about 0.8, like that
of neighbouring papers.

drawing: overlaps of labels at any zoom, sizes of tiles, and whether drawing the same map twice gives the same bytes.

placing: how far 1,000 papers that are left out and then placed lie from their original places, and the recall of their
neighbours, compared with that at their original places.
"""

import argparse
import hashlib
import multiprocessing
import resource
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Figure, machine, print_figures
from pathfinder.building.map import draw
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.index.dense import DenseIndex, write_dense
from pathfinder.index.neighbours import nearest_among, nearest_neighbours
from pathfinder.index.terms import KeywordIndex, ListedTerms
from pathfinder.landscape.data.groups import open_paper_groups, write_paper_groups
from pathfinder.landscape.data.landscape import Landscape, open_landscape
from pathfinder.landscape.data.layer_store import write_stored_layers
from pathfinder.landscape.data.map_data import map_data_of
from pathfinder.landscape.density import grid_over, map_extent
from pathfinder.landscape.drawing.terrain import open_atlas, square_around
from pathfinder.landscape.drawing.viewport import overlap
from pathfinder.landscape.layers.base import compute_layer, inputs_hash, stored_kinds
from pathfinder.landscape.projection import projection
from pathfinder.landscape.projection.projection import place_papers

K, N_QUERIES, N_TRIPLETS, SEED = 15, 5_000, 200_000, 0
N_PLACED = 1_000
NOISE = 0.75
"""Length of the noise added to each unit vector; the cosine to the original is then about 1 / sqrt(1 + 0.75^2) = 0.8.
"""
MOST_BELOW_PLAIN = 0.005
MOST = {True: (360.0, 5.0), False: (90.0, 5.0)}
"""Maximum seconds and gigabytes, for a requested number of points and for the corpus as it is."""

_WHAT = ("cost", "drawing", "placing", "quality")

Vectors = NDArray[np.float32]


def recall(vectors: Vectors, places: Vectors, rows: NDArray[np.int64]) -> float:
    """Return the share of the K true neighbours that are among the K neighbours on the map."""
    true, _ = nearest_neighbours(vectors, rows, K)
    neighbours, _ = nearest_neighbours(places, rows, K)
    return share_of_neighbours(true, neighbours)


def share_of_neighbours(true: NDArray[np.int64], neighbours: NDArray[np.int64]) -> float:
    """Return the mean share of each row of `true` that is in the same row of `neighbours`."""
    return float(np.mean([len(np.intersect1d(a, b)) / K for a, b in zip(true, neighbours, strict=True)]))


def trustworthiness(vectors: Vectors, places: Vectors, rows: NDArray[np.int64]) -> float:
    """Return trustworthiness: one minus the mean rank beyond K of the map's neighbours, scaled as in the paper that
    defined it.
    """
    n = len(vectors)
    mapped_neighbours, _ = nearest_neighbours(places, rows, K)
    beyond = 0
    for row, neighbours in zip(rows, mapped_neighbours, strict=True):
        similarity = vectors @ vectors[row]
        similarity[row] = np.inf
        ranks = (similarity[None, :] > similarity[neighbours, None]).sum(axis=1)
        beyond += int(np.maximum(ranks - K, 0).sum())
    return 1 - 2 * beyond / (len(rows) * K * (2 * n - 3 * K - 1))


def triplet_accuracy(vectors: Vectors, places: Vectors) -> float:
    """Return how often the map agrees on which of two papers is nearer to a third."""
    a, b, c = np.random.default_rng(SEED).integers(len(vectors), size=(3, N_TRIPLETS))

    def nearer(space: Vectors) -> NDArray[np.bool_]:
        to_b, to_c = (np.linalg.norm(space[a] - space[other], axis=1) for other in (b, c))
        return np.asarray(to_b < to_c)

    return float(np.mean(nearer(vectors) == nearer(places)))


def plain_umap(vectors: Vectors, seed: int) -> Vectors:
    """Run UMAP on all dimensions, with the map's number of neighbours and minimum distance, and otherwise with its
    defaults.
    """
    from umap import UMAP

    plain = UMAP(
        n_neighbors=projection.N_NEIGHBORS,
        min_dist=projection.MIN_DISTANCE,
        metric="cosine",
        random_state=seed,
        n_jobs=1,
    )
    return np.asarray(plain.fit_transform(vectors), dtype=np.float32)


def quality(corpus: Corpus, dimensions: list[int], n_seeds: int) -> list[Figure]:
    """Return trustworthiness, recall and triplets, each the mean over the seeds."""
    vectors = all_vectors(corpus)
    rows = np.sort(np.random.default_rng(SEED).choice(len(vectors), size=min(N_QUERIES, len(vectors)), replace=False))
    ways: dict[str, Callable[[int], Vectors]] = {"plain": lambda seed: plain_umap(vectors, seed)}
    for n in dimensions:
        ways[f"PCA {n}"] = lambda seed, n=n: projection.umap_places(  # type: ignore[misc]
            projection.principal_components(vectors, n), seed
        )
    figures, of_plain = [], 0.0
    for name, lay_out in ways.items():
        start = process_time()
        maps = [lay_out(seed) for seed in range(n_seeds)]
        seconds = (process_time() - start) / n_seeds
        trust = [trustworthiness(vectors, places, rows) for places in maps]
        mean = float(np.mean(trust))
        figures += [Figure(f"{name}: trustworthiness, seed {seed}", t, "") for seed, t in enumerate(trust)]
        figures += [Figure(f"{name}: trustworthiness", mean, "")]
        figures += [Figure(f"{name}: recall", float(np.mean([recall(vectors, m, rows) for m in maps])), "")]
        figures += [Figure(f"{name}: triplets", float(np.mean([triplet_accuracy(vectors, m) for m in maps])), "")]
        figures += [Figure(f"{name}: processor time", seconds, "s")]
        if name == "plain":
            of_plain = mean
        else:
            figures += [Figure(f"{name}: below plain UMAP by", of_plain - mean, "", "at most", MOST_BELOW_PLAIN)]
    return figures


def cost(corpus: Corpus, n_points: int | None) -> list[Figure]:
    """Return the seconds and the peak memory that a map takes, from vectors to tiles."""
    n = n_points or len(corpus.papers)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        stages, processor, gigabytes = pool.submit(draw_all, corpus.folder, n).result()
    seconds, most = sum(stages.values()), MOST[n_points is not None]
    figures = [Figure(f"{n:,} points: {stage}", seconds, "s") for stage, seconds in stages.items()]
    figures += [Figure(f"{n:,} points: all", seconds, "s", "at most", most[0])]
    figures.append(Figure(f"{n:,} points: processor time of all", processor, "s"))
    return [*figures, Figure(f"{n:,} points: peak memory", gigabytes, "GB", "at most", most[1])]


def draw_all(folder: Path, n: int) -> tuple[dict[str, float], float, float]:
    """Lay out and draw `n` points; return the seconds taken by each stage, the total CPU seconds, and the peak memory
    in gigabytes.
    """
    corpus = open_corpus(folder)
    vectors = repeat_vectors(all_vectors(corpus), n)
    rows = np.arange(n) % len(corpus.papers)
    papers, terms = corpus.papers.take(rows), repeated_terms(corpus.terms, n)
    with TemporaryDirectory() as out:
        # The index is part of the corpus anyway, so the time to make it does not count towards the map.
        write_dense([vectors], vectors.shape[1], Path(out) / "dense.faiss")
        start, before = perf_counter(), process_time()
        places = projection.project(vectors, SEED)
        laid_out = perf_counter()
        assert places is not None
        landscape = Landscape(places, map_extent(places), b"")
        count_layers(corpus, landscape, papers, terms, Path(out))
        after_layers = perf_counter()
        draw(landscape, papers, terms, Path(out) / "atlas")
    end, seconds_used = perf_counter(), process_time() - before
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    stages = {"coordinates": laid_out - start, "layers": after_layers - laid_out, "atlas": end - after_layers}
    return stages, seconds_used, gigabytes


def count_layers(corpus: Corpus, landscape: Landscape, papers: PaperTable, terms: KeywordIndex, out: Path) -> None:
    """Compute a build's layers for `papers`, whose vectors are in `out`, at their places in `landscape`."""
    write_paper_groups(papers, terms, corpus.thesaurus, out / "groups")
    missions, concepts = open_paper_groups(out / "groups", len(papers))
    grid = grid_over(landscape.extent)
    map_data = replace(
        map_data_of(corpus, landscape),
        papers=papers,
        grid=grid,
        cell_of_paper=grid.cell_of(landscape.coordinates),
        terms=terms,
        dense=DenseIndex.open(out / "dense.faiss"),
        missions=missions,
        concepts=concepts,
    )
    hashes = {kind.slug: inputs_hash(kind, map_data) for kind in stored_kinds()}
    write_stored_layers(tuple(compute_layer(kind, map_data) for kind in stored_kinds()), hashes, out / "layers")


def repeat_vectors(vectors: Vectors, n: int) -> Vectors:
    """Return `n` vectors: the given vectors, and noisy copies of them."""
    if n <= len(vectors):
        return vectors[:n]
    rng, (m, dimension) = np.random.default_rng(SEED), vectors.shape
    repeated_vectors = np.empty((n, dimension), dtype=np.float32)
    repeated_vectors[:m] = vectors
    for start in range(m, n, m):
        end = min(start + m, n)
        noise = rng.standard_normal((end - start, dimension), dtype=np.float32) * (NOISE / np.sqrt(dimension))
        copies = vectors[: end - start] + noise
        repeated_vectors[start:end] = copies / np.linalg.norm(copies, axis=1, keepdims=True)
    return repeated_vectors


def repeated_terms(index: KeywordIndex, n: int) -> KeywordIndex:
    """Return the keywords of `n` papers: those in `index`, repeated."""
    m = len(index.has_keywords)
    terms = np.repeat(np.arange(len(index.terms)), np.diff(index.starts))
    rows = [index.rows + start for start in range(0, n, m)]
    all_terms, all_rows = np.tile(terms, len(rows)), np.concatenate(rows)
    is_early = all_rows < n
    order = np.lexsort((all_rows[is_early], all_terms[is_early]))
    starts = np.zeros(len(index.terms) + 1, dtype=np.int64)
    np.cumsum(np.bincount(all_terms[is_early], minlength=len(index.terms)), out=starts[1:])
    has = np.resize(index.has_keywords, n)
    return KeywordIndex(ListedTerms(index.terms, starts, all_rows[is_early][order].astype(np.int32), has))


def drawing(corpus: Corpus) -> list[Figure]:
    """Measure overlaps of labels, sizes of tiles, and whether drawing the map twice gives the same bytes."""
    folder = corpus.path("landscape")
    assert folder is not None
    digests = []
    with TemporaryDirectory() as out:
        for name in ("once", "again"):
            draw(open_landscape(folder), corpus.papers, corpus.terms, Path(out) / name)
            files = sorted((Path(out) / name).iterdir())
            digests.append(hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest())
        atlas = open_atlas(Path(out) / "once")
    square = square_around(atlas.grid.extent)
    zooms = np.arange(-2, 8.001, 1 / 16)
    overlaps = sum(
        int(overlap(a, b, zoom, square))
        for zoom in zooms.tolist()
        for a, b in combinations([label for label in atlas.labels if label.min_zoom <= zoom], 2)
    )
    sizes = np.diff(atlas.ends, prepend=0) / 1024
    return [
        *(Figure(f"labels of level {n}", sum(label.level == n for label in atlas.labels), "") for n in (1, 2, 3)),
        Figure(f"labels that overlap, over {len(zooms)} zooms", overlaps, "", "at most", 0),
        Figure("largest tile", float(sizes.max()), "KiB"),
        Figure("mean tile", float(sizes.mean()), "KiB"),
        Figure("atlases that differ of two", len(set(digests)) - 1, "", "at most", 0),
    ]


def placing(corpus: Corpus) -> list[Figure]:
    """Measure how well papers that were left out of the map are placed on it."""
    folder = corpus.path("landscape")
    assert folder is not None
    vectors, places = all_vectors(corpus), np.asarray(open_landscape(folder).coordinates)
    order = np.random.default_rng(SEED).permutation(len(vectors))
    new, old = order[:N_PLACED], order[N_PLACED:]
    new_places = place_papers(vectors[old], places[old], vectors[new])
    true, _ = nearest_among(vectors[new], vectors[old], K)
    off = np.linalg.norm(new_places - places[new], axis=1) / float(np.ptp(places, axis=0).max())
    recalls = {
        name: share_of_neighbours(true, nearest_among(p, places[old], K)[0])
        for name, p in (("own", places[new]), ("", new_places))
    }
    return [
        Figure("papers placed later: recall of neighbours", recalls[""], "", "at least", recalls["own"] - 0.02),
        Figure("the same papers in their own places: recall", recalls["own"], ""),
        Figure("placed this far from their own place, median", float(np.median(off)), "of the side"),
        Figure("placed this far from their own place, ninth decile", float(np.percentile(off, 90)), "of the side"),
    ]


def all_vectors(corpus: Corpus) -> Vectors:
    """Return the vectors of every paper, in corpus order."""
    return corpus.dense.vectors(np.arange(len(corpus.papers), dtype=np.int64))


def main() -> None:
    """Measure the corpus given as an argument."""
    parser = argparse.ArgumentParser(description="Quality, cost and drawing of the map of a corpus.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("what", nargs="?", choices=("all", *_WHAT), default="all")
    parser.add_argument("--dimensions", default=str(projection.PCA_DIMENSIONS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--points", type=int)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(machine())
    corpus = open_corpus(arguments.corpus)
    measures = {
        "cost": lambda: cost(corpus, arguments.points),
        "drawing": lambda: drawing(corpus),
        "placing": lambda: placing(corpus),
        "quality": lambda: quality(corpus, [int(n) for n in arguments.dimensions.split(",")], arguments.seeds),
    }
    choices = _WHAT if arguments.what == "all" else (arguments.what,)
    print_figures([figure for what in choices for figure in measures[what]()], arguments.json)


if __name__ == "__main__":
    main()
