"""The reader's shelf: papers chosen on the map, stored in the address as one layer."""

from pathfinder.landscape.layers.shelf import SHELF
from pathfinder.ui.map.map_state import MAX_LAYERS, MAX_SLUG

_START, _BETWEEN = f"{SHELF}:", ";"


def on_shelf(layers: tuple[str, ...]) -> tuple[str, ...]:
    """List the ids of the papers on the shelf among `layers`, in the order they were added."""
    shelves = [slug for slug in layers if slug.startswith(_START)]
    ids = (paper_id.strip() for slug in shelves for paper_id in slug.removeprefix(_START).split(_BETWEEN))
    return tuple(dict.fromkeys(filter(None, ids)))


def has_room(layers: tuple[str, ...], paper_id: str) -> bool:
    """Return whether the address has room for the paper: the length of a slug and the number of layers are limited."""
    changed = put_on(layers, paper_id)
    return _BETWEEN not in paper_id and len(changed[-1]) <= MAX_SLUG and len(changed) <= MAX_LAYERS


def put_on(layers: tuple[str, ...], paper_id: str) -> tuple[str, ...]:
    """Add the paper to the shelf, which becomes the last layer."""
    shelf = dict.fromkeys((*on_shelf(layers), paper_id))
    return (*_others(layers), _START + _BETWEEN.join(shelf))


def put_typed_on(layers: tuple[str, ...], text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Add the papers whose ids appear in `text` to the shelf; also return the ids for which there was no room."""
    left_out = []
    for paper_id in on_shelf((_START + text,)):
        if has_room(layers, paper_id):
            layers = put_on(layers, paper_id)
        else:
            left_out.append(paper_id)
    return layers, tuple(left_out)


def take_off(layers: tuple[str, ...], paper_id: str) -> tuple[str, ...]:
    """Remove the paper from the shelf; if the shelf is then empty, its layer is removed."""
    left = [other for other in on_shelf(layers) if other != paper_id]
    return (*_others(layers), _START + _BETWEEN.join(left)) if left else _others(layers)


def _others(layers: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(slug for slug in layers if not slug.startswith(_START))
