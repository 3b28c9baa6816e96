"""Writes papers as JSON for programs."""

from pathfinder.export.plain_json import JsonObject
from pathfinder.types import Paper


def paper_record(paper: Paper) -> JsonObject:
    """Write a paper: paper_id, title, year, status ("withdrawn", "retracted" or null)."""
    return {"paper_id": paper.paper_id, "title": paper.title, "year": paper.known_year, "status": paper.status}
