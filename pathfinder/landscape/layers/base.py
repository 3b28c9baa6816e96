"""The declaration of a layer: everything that a list of layers, a build or a page needs to know about it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import TypeAlias

from pathfinder.corpus.source_hash import source_hash
from pathfinder.errors import UsageError
from pathfinder.landscape.data.layer import Layer, LayerInfo, UnavailableLayer
from pathfinder.landscape.data.layer_store import hash_of_inputs
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.statistics.dates import YearSpan
from pathfinder.plugins import PluginProblem, Registry, declared_in

Listing: TypeAlias = Sequence[LayerInfo | UnavailableLayer]

TIME_GROUP = "The field over time"
GAPS_GROUP = "What is missing"


@dataclass(frozen=True, slots=True)
class LayerKind:
    """A layer, or a family of layers from which a reader chooses one; declared as a constant in its module.

    To add a layer, put a module that declares one into this folder; another package can offer its own through an entry
    point in the group `pathfinder.layers`, named after the slug.
    """

    slug: str
    """Its name in links and on the command line, such as "growth", in lower-case letters. If a reader has to choose
    something, it is the part before the colon: "mission" in "mission:jwst".
    """
    title: str
    """Its name as readers see it."""
    help: str
    """One sentence about what it shows."""
    group: str
    """The heading under which it is listed."""
    order: int
    """Layers are listed in ascending order of this number."""
    inputs: tuple[str, ...]
    """The parts of a corpus from which it is computed: "papers" and "landscape", and any of "terms" (keywords,
    including those that name places), "thesaurus", "dense", "reviews", "groups", "features". A stored layer is computed
    again when any of these parts changes.
    """
    list_layers: Callable[[MapData], Listing]
    """Lists the layers that can be switched on, and those that cannot, with the reason. It must be quick, and must not
    compute a layer.
    """
    compute: Callable[[MapData], Layer | UnavailableLayer] | None = None
    """Computes the layer; `None` if a reader has to choose. A build computes it once and stores it."""
    compute_choice: Callable[[MapData, str, YearSpan | None], Layer | UnavailableLayer] | None = None
    """Computes the layer for a non-empty choice and for the given years; `None` if there is nothing to choose.

    Raises `UsageError` for an unknown choice.
    """

    def __post_init__(self) -> None:
        if not (self.slug.isascii() and self.slug.isalpha() and self.slug.islower()):
            raise ValueError(f"the slug of a layer must consist of lower-case letters, got {self.slug!r}")
        if (self.compute is None) == (self.compute_choice is None):
            raise ValueError(f"the layer {self.slug!r} needs either `compute` or `compute_choice`, not both or neither")

    @property
    def needs_choice(self) -> bool:
        """True if a reader has to choose something, such as a mission."""
        return self.compute_choice is not None

    @property
    def is_stored(self) -> bool:
        """True if a build computes it and stores it with the corpus."""
        return self.compute is not None

    @property
    def module(self) -> str:
        """The module that implements it."""
        return (self.compute or self.compute_choice or self.list_layers).__module__

    def info(self, n_papers: int | None = None, choice: str = "") -> LayerInfo:
        """Make the layer's entry for a list."""
        return LayerInfo(self.slug, self.title, self.help, self.group, n_papers, choice)

    def unavailable(self, reason: str) -> UnavailableLayer:
        """Make the entry that represents the layer, in lists and as a result, if it is not available for the corpus."""
        return UnavailableLayer(self.slug, self.title, reason)


# The registry of layers: those that can be switched on for a corpus and those that cannot, with the reason and the
# remedy.


ENTRY_POINTS = "pathfinder.layers"
"""The group of entry points through which other packages offer layers, each named after the slug of its `LayerKind`."""
_CODE = (
    "pathfinder.landscape.layers",
    "pathfinder.landscape.statistics",
    "pathfinder.landscape.density",
)
"""Modules whose code determines what a layer shows."""


@cache
def layer_registry() -> Registry[LayerKind]:
    """Collect the layers declared by the modules in this folder and by other packages."""
    own = {kind.slug: kind for kind in declared_in("pathfinder.landscape.layers", LayerKind)}
    return Registry(ENTRY_POINTS, LayerKind, own, "map layer", attrgetter("slug"))


def layer_kinds() -> Mapping[str, LayerKind]:
    """Return every layer by its slug, in the order in which layers are listed."""
    return MappingProxyType({kind.slug: kind for kind in sorted(layer_registry().all(), key=lambda kind: kind.order)})


def stored_kinds() -> tuple[LayerKind, ...]:
    """List the layers that a build computes and stores."""
    return tuple(kind for kind in layer_kinds().values() if kind.is_stored)


def list_layers(map_data: MapData) -> tuple[LayerInfo | UnavailableLayer, ...]:
    """List every layer that can be chosen, without computing any.

    A layer that a build could not compute is listed with the reason, and so is a plug-in that fails.
    """
    listing = (entry for kind in layer_kinds().values() for entry in _listing(kind, map_data))
    unavailable = (
        {} if map_data.stored_layers is None else {entry.slug: entry for entry in map_data.stored_layers.unavailable}
    )
    return tuple(
        unavailable[entry.slug] if entry.slug in unavailable and is_stored(map_data, entry.slug) else entry
        for entry in listing
    )


def _listing(kind: LayerKind, map_data: MapData) -> Listing:
    def list_entries() -> Listing:
        entries = tuple(kind.list_layers(map_data))
        for entry in entries:
            _check_type(entry, LayerInfo, UnavailableLayer)
        return entries

    entries = layer_registry().attempt(kind.slug, list_entries)
    return (kind.unavailable(str(entries)),) if isinstance(entries, PluginProblem) else entries


def _check_type(value: object, *types: type) -> None:
    if not isinstance(value, types):
        raise TypeError(f"it returned {value!r}, not a {' or a '.join(kind.__name__ for kind in types)}")


def is_stored(map_data: MapData, slug: str) -> bool:
    """True if the corpus stores this layer, computed by this code from its current parts."""
    kind = layer_kinds().get(slug)
    if kind is None or not kind.is_stored or map_data.stored_layers is None:
        return False
    return map_data.stored_layers.inputs.get(slug) == inputs_hash(kind, map_data)


def has_stored_layers(map_data: MapData) -> bool:
    """True if at least one stored layer of the corpus is current."""
    return any(is_stored(map_data, kind.slug) for kind in stored_kinds())


def inputs_hash(kind: LayerKind, map_data: MapData) -> str:
    """Hash everything that a stored layer depends on: its code, and the parts of the corpus from which it is
    computed.
    """
    own_room = kind.module.rpartition(".")[0] or kind.module
    code = source_hash(kind.module, (*_CODE, own_room))
    parts = {role: map_data.part_names.get(role, "") for role in kind.inputs}
    # Without the empty text, the hashes of layers that are stored already would no longer match.
    return hash_of_inputs(code, map_data.this_year, "", parts)


def compute_layer(kind: LayerKind, map_data: MapData) -> Layer | UnavailableLayer:
    """Compute a layer that needs no choice, whether or not it is stored."""
    compute = kind.compute
    if compute is None:
        raise ValueError(f"the layer {kind.slug!r} needs a choice")
    return _compute(kind, lambda: compute(map_data))


def _compute(kind: LayerKind, compute: Callable[[], Layer | UnavailableLayer]) -> Layer | UnavailableLayer:
    """Compute a layer; if it belongs to a plug-in that fails, say why it is unavailable."""

    def compute_safely() -> Layer | UnavailableLayer:
        result = compute()
        _check_type(result, Layer, UnavailableLayer)
        return result

    result = layer_registry().attempt(kind.slug, compute_safely, (UsageError,) if kind.needs_choice else ())
    return kind.unavailable(str(result)) if isinstance(result, PluginProblem) else result


def layer(map_data: MapData, slug: str, years: YearSpan | None = None) -> Layer | UnavailableLayer:
    """Read or compute the layer called `slug`, such as "growth" or "mission:jwst", for `years` if it depends on years.

    Raises `UsageError` for a slug that is unknown or lacks a choice.
    """
    name, colon, choice = slug.partition(":")
    kind = layer_kinds().get(name)
    if kind is not None and kind.is_stored and not colon:
        if map_data.stored_layers and is_stored(map_data, slug):
            return map_data.stored_layers.read(slug)
        return compute_layer(kind, map_data)
    if kind is not None and (compute_choice := kind.compute_choice) is not None and choice.strip():
        return _compute(kind, lambda: compute_choice(map_data, choice.strip(), years))
    slugs = ", ".join(f"{kind.slug}:..." if kind.needs_choice else kind.slug for kind in layer_kinds().values())
    raise UsageError(f"there is no layer {slug!r}: name one of {slugs}")
