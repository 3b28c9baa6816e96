"""Cost of explaining the ranking: every kind of explanation for 1,000 candidates, without a model.

    python -m benchmarks.arguing [--json FILE]

The candidates are synthetic and have every optional column, so that every slider has an effect. Each figure is the
median of 50 calls. Target: at most 50 ms each.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.report import Figure, machine, print_figures
from pathfinder.retrieval.explanation.comparison import compare
from pathfinder.retrieval.explanation.counterfactual import smallest_changes
from pathfinder.retrieval.explanation.stability import stability
from pathfinder.retrieval.explanation.waterfall import waterfall
from pathfinder.retrieval.weighting import reweigh, weigh
from pathfinder.types import Candidates, CorpusName, Paper, Preset, SearchRequest, SearchResult, Weighting

N_CANDIDATES, N_CALLS = 1000, 50
TOP_K, FAR = 10, 300
MOST_MS = 50.0
STRENGTHS = {"keywords": 0.5, "recency": 0.5, "citations": 0.5, "title": 0.5, "position": 0.5, "coverage": 0.5}


def make_candidates(n: int = N_CANDIDATES) -> Candidates:
    """Return `n` candidates with every column, ordered by fused score."""
    rng = np.random.default_rng(0)
    names = ("keyword", "citation_percentile", "title_match", "position", "coverage", "diversity")
    return Candidates(
        papers=[Paper(f"p{i}", f"Title {i}", "Abstract.") for i in range(n)],
        rows=np.arange(n),
        vectors=np.zeros((n, 2), dtype=np.float32),
        dense=rng.uniform(0.1, 0.8, n),
        sparse=rng.uniform(0, 20, n),
        fused=np.sort(rng.uniform(0.01, 1, n))[::-1].copy(),
        age_years=rng.uniform(0, 30, n),
        citation_count=rng.integers(0, 900, n).astype(np.float64),
        rerank=np.where(np.arange(n) < 250, rng.uniform(0, 1, n), np.nan),
        **{name: rng.uniform(0, 1, n) for name in names},
    )


def measure() -> list[Figure]:
    """Return the figures for both presets."""
    return [
        Figure(f"{preset.value}: {name}", _median_ms(call), "ms", "at most", MOST_MS)
        for preset in Preset
        for name, call in _questions(make_candidates(), Weighting(**STRENGTHS, diversity=0.5, preset=preset)).items()
    ]


def _questions(candidates: Candidates, weighting: Weighting) -> dict[str, Callable[[], object]]:
    request = SearchRequest("stars", top_k=TOP_K, weighting=weighting)
    hits = weigh(candidates, weighting, FAR)
    result = SearchResult(request, CorpusName("made up", "0" * 12, N_CANDIDATES), candidates, hits[:TOP_K], (), ())
    other = reweigh(result, Weighting(preset=weighting.preset))
    # With the preset `paper`, no slider changes a reranked order. Reranking is therefore off, so that the sliders are
    # tried, which takes the most work.
    movable = replace(weighting, rerank=0.5 if weighting.preset is Preset.BALANCED else 0.0)
    return {
        "weigh again": lambda: reweigh(result, weighting),
        f"waterfall of {TOP_K} hits": lambda: [waterfall(hit, weighting) for hit in hits[:TOP_K]],
        f"smallest change for the {FAR}th": lambda: smallest_changes(candidates, movable, hits[-1].row, TOP_K),
        "stability of all, 200 draws": lambda: stability(candidates, weighting, TOP_K),
        "comparison": lambda: compare(result, other),
    }


def _median_ms(call: Callable[[], object]) -> float:
    return 1e3 * float(np.median([_time_call(call) for _ in range(N_CALLS)]))


def _time_call(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Run the measurements, and report how busy the machine was."""
    parser = argparse.ArgumentParser(description="How long arguing with the ranking takes.")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(f"{N_CANDIDATES:,} candidates, no model: {machine()}")
    print_figures(measure(), arguments.json)


if __name__ == "__main__":
    main()
