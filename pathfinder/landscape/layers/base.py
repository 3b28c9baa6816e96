"""The declaration of a layer: everything that a list of layers, a build or a page needs to know about it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pathfinder.landscape.data.layer import Layer, LayerInfo, UnavailableLayer
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.statistics.dates import YearSpan

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
