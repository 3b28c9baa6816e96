"""Writes papers as JSON for programs."""

from pathfinder.export.plain_json import JsonObject
from pathfinder.types import Paper


def paper_record(paper: Paper) -> JsonObject:
    """Write a paper: paper_id, title, year, status ("withdrawn", "retracted" or null), and is_summary (true if what is
    quoted of it, outside its full text, is from a summary, which are not the paper's own words).
    """
    record = {"paper_id": paper.paper_id, "title": paper.title, "year": paper.known_year, "status": paper.status}
    return record | {"is_summary": paper.is_summary}
