"""What a link means, as plain data: the only place here that knows how the pages read and write their addresses."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs

Meaning = dict[str, Any]


def meaning(page: str, query: str, corpus: Path) -> Meaning:
    """What `page` does with an address that ends in `?query`, over the corpus in that folder.

    `settings` is what it sets, by the names of the public request or of the link's parameters, `ignored` counts the
    notes on what was passed over, and `written` has the parameters that the page puts into the address in its turn.
    """
    from pathfinder.ui.pages import MOVED, redirected
    from pathfinder.ui.shared.visit_corpus import OF_PLACES

    parameters = parse_qs(query, keep_blank_values=True)
    if page in MOVED:
        place, parameters = redirected(page, parameters)
        assert (place, *(parameters.pop(name)[-1] for name in OF_PLACES & parameters.keys())) == MOVED[page]
    settings, notes, written = PAGES[page](parameters, corpus)
    return {"settings": _plain(settings), "ignored": len(notes), "written": _plain(written)}


Parameters = Mapping[str, list[str]]
Read = tuple[object, tuple[str, ...], Mapping[str, object]]


def _ask(parameters: Parameters, _corpus: Path) -> Read:
    from pathfinder.ui.shared.address import from_parameters, to_parameters

    form, notes = from_parameters({name: texts[-1] for name, texts in parameters.items()})
    request = asdict(replace(form, question=form.question or "?").request())
    request["query"] = form.question
    return {"search": request, "answer": asdict(form.answering)}, notes, to_parameters(form)[0]


def _map(parameters: Parameters, _corpus: Path) -> Read:
    from pathfinder.ui.map.map_state import PAPERS, PUBLIC, from_address, to_address

    state, notes = from_address(parameters)
    settings = {name: value for name, value in asdict(state).items() if name not in PUBLIC - PAPERS}
    settings["found"] = settings.pop("hits")  # its parameter is called so
    return settings, notes, to_address(state)


def _world(parameters: Parameters, _corpus: Path) -> Read:
    from pathfinder.ui.map.map_state import PUBLIC, from_address, to_address

    state, notes = from_address(parameters, PUBLIC)
    return {name: value for name, value in asdict(state).items() if name in PUBLIC}, notes, to_address(state)


def _similar(parameters: Parameters, corpus: Path) -> Read:
    from pathfinder import Pathfinder, Settings
    from pathfinder.ui import similar

    session: dict[str, list[str]] = {}
    address = SimpleNamespace(get_all=lambda name: parameters.get(name, []))
    with patch.object(similar, "st", SimpleNamespace(query_params=address, session_state=session)):
        notes = similar.open_link(Pathfinder.open(corpus, settings=Settings(_env_file=None)))
    ids = dict(zip(("like", "unlike"), session.values(), strict=True))
    return ids, notes, {name: ids for name, ids in ids.items() if ids}


PAGES: dict[str, Callable[[Parameters, Path], Read]] = {
    "ask": _ask,
    "compare": _ask,  # it begins with what the Ask page would have been set to
    "map": _map,
    "world": _world,
    "similar": _similar,
}
"""Pages whose address meant something; Check, Evaluate and About had no parameters."""


def _plain(value: object) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, tuple | list) else value
