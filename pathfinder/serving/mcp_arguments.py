"""Arguments that several MCP tools share."""

from typing import Annotated, Any

from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

from pathfinder.export.plain_json import JsonObject
from pathfinder.types import MAX_TOP_K, MIN_TOP_K

READ_ONLY = ToolAnnotations(read_only_hint=True)

CORNERS = "The corners of a region, as X,Y;X,Y;... in the coordinates of the map."

Query = Annotated[str, Field(description="A question, a topic or an abstract.")]
TopK = Annotated[int, Field(description="Number of papers.", ge=MIN_TOP_K, le=MAX_TOP_K)]
Full = Annotated[bool, Field(description="Return everything that the API returns.")]
Settings = Annotated[
    dict[str, Any] | None,
    Field(description="Further settings by name, such as year_from, authors or weights."),
]
Year = Annotated[int | None, Field(description="First or last year of the results.")]
AsOfYear = Annotated[int | None, Field(description="Read the corpus as of the end of this year.")]
Place = Annotated[
    list[float] | None,
    Field(description="A point on the map, x and y; results come from its surroundings.", min_length=2, max_length=2),
]
PaperId = Annotated[str, Field(description="Id of a paper, as a search returns it.")]


def sent_of(query: str, top_k: int, settings: JsonObject | None) -> JsonObject:
    """Return the fields of an API call."""
    return {"query": query, "top_k": top_k, **(settings or {})}


def settings_line(body: type[BaseModel]) -> str:
    """Return the line of a tool's description that names the settings of a body."""
    return f"Settings: {', '.join(name for name in body.model_fields if name not in ('query', 'top_k'))}."
