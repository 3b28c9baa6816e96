"""How factors and sliders are called before a reader."""

from pathfinder.retrieval.weighting import STRENGTH_OF

LABELS = {
    "match": "match",
    "keyword": "keywords",
    "recency": "time",
    "citation": "citations",
    "title_match": "title",
    "position": "early",
    "coverage": "your words",
    "diversity": "pointed",
    "rerank": "rerank",
}
"""By the factor's name in `Score`; `match` is the search itself."""

SLIDER_LABELS = {slider: LABELS[factor] for factor, slider in STRENGTH_OF.items()}
"""By the field of `Weighting`."""


def ordinal(rank: int) -> str:
    """1st, 2nd, 3rd, 4th ... 11th."""
    suffix = "th" if 10 <= rank % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank:,}{suffix}"


def listed(names: tuple[str, ...]) -> str:
    """One, two and three."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
