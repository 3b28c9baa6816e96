"""Calls with a single reply, by address."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from pathfinder.export.plain_json import JsonObject
from pathfinder.serving import calls, fields, overviews

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

Call = Callable[["Pathfinder", Any], JsonObject]

CALLS: dict[str, tuple[Call, Callable[[], type[BaseModel]]]] = {
    "search": (calls.search, fields.search_body),
    "reweigh": (calls.reweigh, fields.search_body),
    "similar": (calls.similar, lambda: fields.SimilarBody),
    "consensus": (calls.consensus, fields.consensus_body),
    "table": (overviews.table, fields.table_body),
    "tensions": (overviews.tensions, fields.tensions_body),
    "network": (overviews.network, fields.network_body),
    "timeline": (overviews.timeline, fields.timeline_body),
    "check": (calls.check, lambda: fields.CheckBody),
    "map/region": (calls.map_region, lambda: fields.RegionOfMap),
    "export": (calls.export, lambda: fields.ExportBody),
}
"""Calls with a single reply, by address, each with its body."""

MAY_WAIT = ("consensus", "table", "timeline")
"""Calls that may wait a long time for a chat model. A search waits for one only if its settings ask for that."""
