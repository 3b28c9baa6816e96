"""A reader's choices on a map. They are stored only in the address bar, so that a link reproduces the map."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pathfinder.errors import UsageError
from pathfinder.landscape.drawing.scene import Ground, MapView, Palette
from pathfinder.landscape.layers.own_papers import MARKED_PAPERS
from pathfinder.types import MAX_TOP_K, Region
from pathfinder.types.requests import MAX_YEAR
from pathfinder.ui.shared.address import MIN_YEAR

ALL_YEARS = "all"
MAX_LAYERS = 8
"""Maximum number of layers drawn at once; more could not be distinguished."""
MAX_SLUG = 1000
"""Maximum length of a slug in characters, enough for a group of twenty authors or about forty marked papers."""
MAX_QUESTION = 300
MAX_PLACE = 120


@dataclass(frozen=True, slots=True)
class MapState:
    """All choices on the map of the papers, and on the map for the public; each field is named after its address
    parameter, except `hits`, which links call `found`.
    """

    view: MapView | None = None
    layer: tuple[str, ...] = ()
    """Slugs of the layers that are on."""
    region: Region | None = None
    plays: bool = False
    """True if the years can be chosen and played."""
    years: tuple[int, int] | None = None
    """First and last year of the papers shown, both inclusive; `None` for all years."""
    paper: str | None = None
    """Id of the open paper."""
    hits: tuple[str, ...] = ()
    """Ids of the papers in the result shown, best first."""
    q: str = ""
    """The question that led to the result shown."""
    ground: Ground = Ground.DENSITY
    palette: Palette = Palette.STANDARD
    names: bool = True
    place: str | None = None
    """Name of the place whose card is open on the map for the public."""
    kiosk: bool = False
    """True if the map for the public runs on a public screen without a keyboard."""


PAPERS = frozenset({"view", "layer", "region", "years", "paper", "found", "q", "ground", "palette", "names"})
"""Parameters of the map of the papers."""
PUBLIC = frozenset({"view", "layer", "years", "palette", "paper", "place", "kiosk"})
"""Parameters of the map for the public."""


def from_address(
    parameters: Mapping[str, Sequence[str]], known: frozenset[str] = PAPERS
) -> tuple[MapState, tuple[str, ...]]:
    """Read the state in a link to a map with the `known` parameters, with a note about each part ignored."""
    values: dict[str, Any] = {}
    notes = []
    for name, texts in parameters.items():
        if name not in known:
            notes.append(f"the link's setting {name!r} is unknown and was ignored")
            continue
        too_long = [text for text in texts if name == "layer" and len(text) > MAX_SLUG]
        notes += [_ignored_note(name, text) for text in too_long]
        try:
            values |= _READERS[name]([text for text in texts if text not in too_long])
        except ValueError:
            notes.append(_ignored_note(name, texts[-1]))
    if known == PUBLIC:  # its years can always be played
        values.pop("plays", None)
    return MapState(**values), tuple(notes)


def _ignored_note(name: str, text: str) -> str:
    return f"the link's setting {name}={text[:80]!r} is not valid and was ignored"


def to_address(state: MapState) -> dict[str, str | list[str]]:
    """Write `state` as the parameters of a link; default values are left out."""
    parameters: dict[str, str | list[str]] = {
        **view_in_link(state.view),
        "layer": list(state.layer),
        "region": "" if state.region is None else state.region.text,
        "years": (ALL_YEARS if state.plays else "") if state.years is None else f"{state.years[0]}-{state.years[1]}",
        "paper": state.paper or "",
        "found": list(state.hits),
        "q": state.q,
        "ground": "" if state.ground is Ground.DENSITY else state.ground.value,
        "palette": "" if state.palette is Palette.STANDARD else state.palette.value,
        "names": "" if state.names else "0",
        "place": state.place or "",
        "kiosk": "1" if state.kiosk else "",
    }
    return {name: value for name, value in parameters.items() if value}


def view_in_link(view: MapView | None) -> dict[str, str]:
    """Return a view as a parameter of a link; empty for the whole map."""
    return {"view": "" if view is None else f"{view.x:.3f},{view.y:.3f},{view.zoom:.2f}"}


def _layers(texts: list[str]) -> dict[str, Any]:
    slugs = tuple(dict.fromkeys(text for text in texts if text))
    if len(slugs) > MAX_LAYERS:
        raise UsageError(f"at most {MAX_LAYERS} layers are drawn at once, got {len(slugs)}")
    return {"layer": slugs}


def _years(texts: list[str]) -> dict[str, Any]:
    if texts[-1] == ALL_YEARS:
        return {"plays": True}
    first, last = map(int, texts[-1].split("-"))
    if not MIN_YEAR <= first <= last <= MAX_YEAR:
        raise UsageError(f"the first year must not be after the last, got {texts[-1]!r}")
    return {"plays": True, "years": (first, last)}


def _hits(texts: list[str]) -> dict[str, Any]:
    if len(texts) > MAX_TOP_K:
        raise UsageError(f"a result has at most {MAX_TOP_K} papers, got {len(texts)}")
    return {"hits": tuple(dict.fromkeys(text for text in texts if text))}


_READERS: dict[str, Callable[[list[str]], dict[str, Any]]] = {
    "view": lambda texts: {"view": MapView.read(texts[-1])},
    "layer": _layers,
    "region": lambda texts: {"region": Region.read(texts[-1])},
    "years": _years,
    "paper": lambda texts: {"paper": texts[-1] or None},
    "found": _hits,
    "q": lambda texts: {"q": texts[-1][:MAX_QUESTION]},
    "ground": lambda texts: {"ground": Ground(texts[-1])},
    "palette": lambda texts: {"palette": Palette(texts[-1])},
    "names": lambda texts: {"names": bool(("0", "1").index(texts[-1]))},
    "place": lambda texts: {"place": texts[-1][:MAX_PLACE] or None},
    "kiosk": lambda texts: {"kiosk": texts[-1] == "1"},
}

# The papers that a reader marked on the map, stored in the address as one layer.

_START, _BETWEEN = f"{MARKED_PAPERS}:", ";"


def marked_ids(layers: tuple[str, ...]) -> tuple[str, ...]:
    """List the ids of the marked papers in `layers`, in the order in which they were marked."""
    slugs = [slug for slug in layers if slug.startswith(_START)]
    ids = (paper_id.strip() for slug in slugs for paper_id in slug.removeprefix(_START).split(_BETWEEN))
    return tuple(dict.fromkeys(filter(None, ids)))


def has_room(layers: tuple[str, ...], paper_id: str) -> bool:
    """Return whether the address has room for the paper: the length of a slug and the number of layers are limited."""
    layers_with_mark = mark(layers, paper_id)
    return _BETWEEN not in paper_id and len(layers_with_mark[-1]) <= MAX_SLUG and len(layers_with_mark) <= MAX_LAYERS


def mark(layers: tuple[str, ...], paper_id: str) -> tuple[str, ...]:
    """Mark the paper; the layer of the marked papers becomes the last one."""
    ids = dict.fromkeys((*marked_ids(layers), paper_id))
    return (*_others(layers), _START + _BETWEEN.join(ids))


def mark_several(layers: tuple[str, ...], text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Mark the papers whose ids `text` lists; also return the ids for which there was no room."""
    left_out = []
    for paper_id in marked_ids((_START + text,)):
        if has_room(layers, paper_id):
            layers = mark(layers, paper_id)
        else:
            left_out.append(paper_id)
    return layers, tuple(left_out)


def unmark(layers: tuple[str, ...], paper_id: str) -> tuple[str, ...]:
    """Remove the mark of the paper; the layer is removed with the last mark."""
    remaining_ids = [other for other in marked_ids(layers) if other != paper_id]
    return (*_others(layers), _START + _BETWEEN.join(remaining_ids)) if remaining_ids else _others(layers)


def _others(layers: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(slug for slug in layers if not slug.startswith(_START))
