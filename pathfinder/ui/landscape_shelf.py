"""A reader's shelf: papers chosen on the map, kept in its address as one layer."""

from pathfinder.landscape.layers.found import SHELF
from pathfinder.ui.landscape_state import MAX_LAYERS, MAX_SLUG

_START, _BETWEEN = f"{SHELF}:", ";"


def on_shelf(layers: tuple[str, ...]) -> tuple[str, ...]:
    """The ids of the papers on the shelf among `layers`, in the order in which they were put there."""
    shelves = [slug for slug in layers if slug.startswith(_START)]
    ids = (one.strip() for slug in shelves for one in slug.removeprefix(_START).split(_BETWEEN))
    return tuple(dict.fromkeys(filter(None, ids)))


def has_room(layers: tuple[str, ...], paper_id: str) -> bool:
    """Whether the address takes the paper on the shelf: a slug has a longest length, and a map a number of layers."""
    changed = put_on(layers, paper_id)
    return _BETWEEN not in paper_id and len(changed[-1]) <= MAX_SLUG and len(changed) <= MAX_LAYERS


def put_on(layers: tuple[str, ...], paper_id: str) -> tuple[str, ...]:
    """`layers` with the paper on the shelf, which is the last of them."""
    shelf = dict.fromkeys((*on_shelf(layers), paper_id))
    return (*_others(layers), _START + _BETWEEN.join(shelf))


def put_typed_on(layers: tuple[str, ...], typed: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """`layers` with the papers on the shelf whose ids `typed` has, and the ids for which there is no room."""
    left_out = []
    for paper_id in on_shelf((_START + typed,)):
        if has_room(layers, paper_id):
            layers = put_on(layers, paper_id)
        else:
            left_out.append(paper_id)
    return layers, tuple(left_out)


def take_off(layers: tuple[str, ...], paper_id: str) -> tuple[str, ...]:
    """`layers` without the paper; an empty shelf is no layer."""
    left = [one for one in on_shelf(layers) if one != paper_id]
    return (*_others(layers), _START + _BETWEEN.join(left)) if left else _others(layers)


def _others(layers: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(slug for slug in layers if not slug.startswith(_START))
