"""The registry of kinds of sources. Other packages add kinds through the entry point group `pathfinder.sources`.

To add a kind to Pathfinder, put a module that declares a `SourceKind` into `kinds/`.
"""

from pathfinder.plugins import Registry, declared_in
from pathfinder.sources.kind import SourceKind

SOURCES = Registry(
    "pathfinder.sources",
    SourceKind,
    {kind.scheme: kind for kind in declared_in("pathfinder.sources.kinds", SourceKind)},
    "kind of source",
    name_of=lambda kind: kind.scheme,
)
