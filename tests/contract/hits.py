"""The ten hits for a question, as plain data."""

from pathlib import Path
from typing import Any


def hits(folder: Path, question: str, fields: dict[str, Any]) -> list[dict[str, Any]]:
    """Ids and final scores of what `Pathfinder.search` finds in the corpus `folder`, best first.

    `fields` are those of `SearchRequest` as plain data: enumerations by value, `weighting` by its fields.
    """
    from pathfinder import Pathfinder, Settings

    pf = Pathfinder.open(folder, settings=Settings(_env_file=None))
    return [
        {"paper_id": hit.paper.paper_id, "score": hit.score.final}
        for hit in pf.search(question, **_typed_fields(fields)).hits
    ]


def _typed_fields(fields: dict[str, Any]) -> dict[str, Any]:
    from pathfinder.types import CitationProfile, Fusion, Preset, QueryExpansion, Region, RetrievalMode, Weighting

    readers = {
        "fusion": Fusion,
        "imagine": QueryExpansion,
        "sides": RetrievalMode,
        "region": Region.read,
        "preset": Preset,
        "citation_profile": CitationProfile,
        "weighting": lambda weights: Weighting(**_typed_fields(weights)),
        "own_expansions": lambda own: tuple((term, tuple(names)) for term, names in own),
        "extra_keywords": tuple,
        "dropped_keywords": tuple,
    }
    return {name: readers[name](value) if name in readers else value for name, value in fields.items()}
