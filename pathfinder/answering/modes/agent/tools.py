"""The agent's two tools, which only read, and which stay within the limits set by the reader."""

from collections.abc import Mapping
from dataclasses import replace

from pathfinder.models.ports import Tool
from pathfinder.types import SearchRequest

SEARCH, READ = "search", "read"
PARAMETERS = {SEARCH: ("query", "year_from", "year_to", "top_k"), READ: ("key",)}
"""Names of the arguments that each tool accepts."""

MAX_QUERY = 500
"""Maximum length of a query in characters."""


def tools(reader: SearchRequest) -> tuple[Tool, ...]:
    """Create the two tools, with the reader's own limits in their descriptions."""
    years = {"type": "integer", "description": f"Within the reader's years: {describe_years(reader)}."}
    search = {
        "query": {"type": "string", "maxLength": MAX_QUERY, "description": "A question or a topic, in plain words."},
        "year_from": years,
        "year_to": years,
        "top_k": {"type": "integer", "minimum": 1, "maximum": reader.top_k, "description": "How many papers."},
    }
    key_parameter = {"key": {"type": "string", "description": "The key of a paper that a search showed."}}
    where = "" if reader.region is None else " Only papers in the region that the reader drew on the map are found."
    return (
        Tool(SEARCH, f"Find papers in this library, by meaning and by words.{where}", _schema(search, "query")),
        Tool(
            READ,
            "Show one paper in full: one that a search had no room for, or one to look at again.",
            _schema(key_parameter),
        ),
    )


def within(reader: SearchRequest) -> SearchRequest:
    """Return the reader's settings for the agent's searches: those of the first search, with the years read from the
    question, but without its likeness, because the agent's queries could not change that.
    """
    return replace(reader, likeness=None)


def describe_years(reader: SearchRequest) -> str:
    """Describe the years that may be searched."""
    first, last = reader.year_from, reader.year_to
    if first is None and last is None:
        return "all"
    return f"{'any' if first is None else first} to {'any' if last is None else last}"


def _schema(properties: Mapping[str, object], required_name: str = "key") -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": [required_name], "additionalProperties": False}
