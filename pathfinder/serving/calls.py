"""The calls: each answers with what the command line prints as JSON."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from pathfinder.export.plain_json import JsonObject
from pathfinder.operations import OPERATIONS, body_of, call
from pathfinder.operations.fields import request_of
from pathfinder.operations.search import search_record
from pathfinder.types import Weighting

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder


def reweigh(pf: "Pathfinder", body: BaseModel) -> JsonObject:
    """Order the papers of a search by other weights: the candidates are those of the same search without these weights,
    which is not repeated if it was run before.
    """
    request = request_of(body)
    return search_record(pf.reweigh(pf.search(replace(request, weighting=Weighting())), request.weighting))


Call = Callable[["Pathfinder", Any], JsonObject]


def calls() -> dict[str, tuple[Call, Callable[[], type[BaseModel]]]]:
    """Return the calls with a single reply, by address, each with its body. Operations are read when a server starts,
    because plug-ins and the settings may hold a mistake, which is to be told in one line.
    """
    operations = {each.address: each for each in OPERATIONS.all() if each.address is not None and not each.streams}
    return {
        **{address: (partial(call, each), partial(body_of, each)) for address, each in operations.items()},
        "reweigh": (reweigh, lambda: body_of(OPERATIONS.get("search"))),
    }


def may_wait() -> tuple[str, ...]:
    """Return the calls that may wait a long time for a chat model. A search waits for one only if its settings ask for
    that.
    """
    return tuple(each.address for each in OPERATIONS.all() if each.may_wait and each.address is not None)
