"""The papers that a reader marked on the map, stored in the address as one layer."""

from pathfinder.landscape.layers.own_papers import MARKED_PAPERS
from pathfinder.ui.map.map_state import MAX_LAYERS, MAX_SLUG

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
