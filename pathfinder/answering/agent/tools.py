"""What the agent may ask to have done: two tools, which only read, within what the reader set."""

from collections.abc import Mapping
from dataclasses import replace

from pathfinder.models.ports import Tool
from pathfinder.retrieval.filters import with_years_named
from pathfinder.types import SearchRequest

SEARCH, READ = "search", "read"
KNOWN = {SEARCH: ("query", "year_from", "year_to", "top_k"), READ: ("key",)}
"""The arguments of each tool."""

MAX_QUERY = 500
"""Characters: a query, not an essay."""


def tools(reader: SearchRequest) -> tuple[Tool, ...]:
    """The two tools, with the reader's own limits written into them."""
    years = {"type": "integer", "description": f"Within the reader's years: {in_words(reader)}."}
    search = {
        "query": {"type": "string", "maxLength": MAX_QUERY, "description": "A question or a topic, in plain words."},
        "year_from": years,
        "year_to": years,
        "top_k": {"type": "integer", "minimum": 1, "maximum": reader.top_k, "description": "How many papers."},
    }
    read = {"key": {"type": "string", "description": "The key of a paper that a search showed."}}
    where = "" if reader.region is None else " Only papers in the part of the map that the reader drew are found."
    return (
        Tool(SEARCH, f"Find papers of this library, by meaning and by words.{where}", _schema(search, "query")),
        Tool(READ, "Show one paper whole: one that a search had no room for, or one to look at again.", _schema(read)),
    )


def within(reader: SearchRequest) -> SearchRequest:
    """The reader's settings as every search of the agent has them.

    Years named in the question hold for queries too, which need not name them; a likeness, which no query could
    change, is left out.
    """
    request, _ = with_years_named(reader, reader.today)
    return replace(request, likeness=None)


def in_words(reader: SearchRequest) -> str:
    """The years that may be searched."""
    first, last = reader.year_from, reader.year_to
    if first is None and last is None:
        return "all"
    return f"{'any' if first is None else first} to {'any' if last is None else last}"


def _schema(properties: Mapping[str, object], required: str = "key") -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": [required], "additionalProperties": False}
