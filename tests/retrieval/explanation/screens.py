"""A listing of papers as the Ask page draws it, for a result that no search made."""

from dataclasses import replace

import numpy as np

from pathfinder.retrieval.weighting import weigh
from pathfinder.types import Candidates, CorpusName, Paper, Preset, SearchRequest, SearchResult, Weighting
from pathfinder.ui.papers import papers
from pathfinder.ui.shared import resources
from pathfinder.ui.shared.address import Form
from pathfinder.ui.shared.state import ResultView


def show_reversed(preset: str) -> None:
    """Four papers, `a` to `d`, that a reranker put in the reverse order."""
    fused, flat = np.array([1.0, 0.99, 0.98, 0.97]), np.full(4, 0.5)
    candidates = Candidates(
        papers=[Paper(name, f"Title {name}", "Abstract.") for name in "abcd"],
        rows=np.arange(4),
        vectors=np.eye(4, dtype=np.float32),
        dense=fused * 0.8,
        sparse=fused,
        fused=fused,
        **dict.fromkeys(("keyword", "age_years", "citation_count", "citation_percentile"), flat),
        rerank=np.array([0.0, 0.3, 0.6, 1.0]),
    )
    weighting = Weighting(preset=Preset(preset))
    result = SearchResult(
        SearchRequest("stars", top_k=4, weighting=weighting),
        CorpusName("made up", "0" * 12, 4),
        candidates,
        weigh(candidates, weighting, 4),
        (),
        (),
    )
    papers.listing(resources.pathfinder(), ResultView(replace(Form(), question="stars"), result, {}))
