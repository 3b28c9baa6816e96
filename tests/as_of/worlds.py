"""Two corpora with the same papers up to 1995, one of them with later ones, and all that a reader can see of one."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from pathfinder.facade import Pathfinder
from pathfinder.landscape.data.landscape import Landscape
from pathfinder.operations.ask import answer_record
from pathfinder.operations.export.plain_json import as_json
from pathfinder.types import AnswerRequest, ModeName, SearchRequest, SearchResult
from tests.golden import DEMO

LAST = 1995
"""Last year in which the corpora have the same papers."""
N_EARLY, N_LATER = 26, 12
SHARED = "expansion of the universe and the Hubble constant"


def records() -> dict[str, list[dict[str, Any]]]:
    """The rows of both corpora: `alone` has the early papers, and `first` later, misdated and undated ones, too."""
    rows = [json.loads(line) for line in DEMO.read_text(encoding="utf-8").splitlines()]
    early = [row for row in rows if row["year"] and row["year"] <= LAST][:N_EARLY]
    later = [row for row in rows if row["year"] and row["year"] > LAST][:N_LATER]
    for place, row in enumerate(early):  # each cites two before it, some also a later paper and a work outside
        references = [early[place - 1]["id"], early[place // 2]["id"], later[place % N_LATER]["id"], "doi:10.1/outside"]
        row["references"] = references[:2] if place % 3 else references
    for row in later:
        row["references"] = [other["id"] for other in early[:5]]
        row["citation_count"], row["authors"] = 5000, ["Hubble, Edwin"]
        row["title"] = f"{row['title']} and the {SHARED}"
    misdated = {**early[0], "id": "misdated", "title": SHARED, "year": 1990, "date": "1999-05-01"}
    undated = {**early[1], "id": "undated", "title": SHARED, "year": None, "date": None}
    return {"alone": early, "first": [misdated, *later[:5], *early[:7], undated, *early[7:], *later[5:]]}


def write(name: str, path: Path) -> Path:
    """Write the rows of one corpus to `path`."""
    path.write_text("".join(json.dumps(row) + "\n" for row in records()[name]), encoding="utf-8")
    return path


def sharing_what_is_fitted(pf: Pathfinder, other: Pathfinder) -> Pathfinder:
    """`pf` with what rests on the whole corpus taken from `other`: places, limits and the reranker's check."""
    corpus, landscape = pf.corpus, other.landscape
    assert landscape is not None
    rows = other.corpus.papers.rows_of(corpus.papers.paper_ids())
    places = np.where((rows >= 0)[:, None], landscape.coordinates[rows], np.float32(0.5))
    own = Pathfinder(
        replace(corpus, coordinates=places, reranker_check=other.corpus.reranker_check),
        pf.embedder,
        pf.models.extractor,
        load_reranker=pf.models.load_reranker,
    )
    own._calibration, own._relevance = other._calibration, other._relevance
    own.view.__dict__["landscape"] = Landscape(places, landscape.extent, b"")
    return own


def outputs(pf: Pathfinder, request: SearchRequest) -> dict[str, Any]:
    """Everything that is shown of a question without a chat model, as plain values."""
    result = pf.search(request)
    answer = pf.answer(result, AnswerRequest(generation=ModeName.EXTRACTIVE))
    hits = [hit.paper.paper_id for hit in result.hits]
    parts = {
        "answer": _without_seconds(answer_record(result, answer)),
        "pool": _pool(result),
        "notes": result.notes,
        "stances": as_json(pf.guess_stances(result, "The universe expands")),
        "tensions": as_json(pf.tensions(result)),
        "timeline": as_json(pf.timeline(result)),
        "network": as_json(pf.network(result)),
        "citations": [as_json(pf.citations_of(paper_id)) for paper_id in hits[:3]],
    }
    if hits:
        parts["table"] = as_json(pf.comparison_table(hits[:3]))
        parts["similar"] = _pool(pf.similar(hits[0]))
    return parts


def map_parts(pf: Pathfinder) -> dict[str, Any]:
    """Everything that is drawn on the map, as plain values."""
    atlas, data = pf.atlas, pf.map_data
    assert atlas is not None
    assert data is not None
    missions = data.missions
    assert missions is not None
    assert data.terms is not None
    return {
        "labels": [asdict(label) for label in atlas.labels],
        "peaks": [asdict(peak) for peak in atlas.peaks],
        "tiles": atlas.tiles.tobytes(),
        "picture": pf.landscape.image_png if pf.landscape else b"",
        "listed": as_json(pf.layers()),
        "layers": {slug: repr(pf.layer(slug)) for slug in STORED_LAYERS},
        "missions": [missions.rows_at(place).tolist() for place in range(len(missions.names))],
        "terms": (data.terms.terms.to_pylist(), data.terms.rows.tolist()),
    }


STORED_LAYERS = ("growth", "hotspots", "years", "reviews", "gaps", "bridges")
"""Layers without a choice."""


def _pool(result: SearchResult) -> dict[str, Any]:
    """The candidates of a search, with every factor of their scores."""
    return dict(_plain(result.candidates))


def _plain(pool: Any) -> Iterator[tuple[str, Any]]:
    for name in pool.__dataclass_fields__:
        value = getattr(pool, name)
        if isinstance(value, Mapping):
            yield (
                name,
                {key: np.asarray(own).tolist() if hasattr(own, "tolist") else repr(own) for key, own in value.items()},
            )
        elif isinstance(value, np.ndarray):
            yield name, repr(value.tolist())  # NaN equals itself as text
        else:
            yield name, [paper.paper_id for paper in value] if name == "papers" else repr(value)


def _without_seconds(record: dict[str, Any]) -> dict[str, Any]:
    """A result without its times, and without the version of its corpus and the numbers of papers left out."""
    del record["seconds"], record["stages"]["as of"]
    return record
