"""Sources of papers: the grammar for naming them, the registry of their kinds, and the port through which they are
read.
"""

from pathfinder.sources.kind import Access, Memory, Row, SourceKind, Window
from pathfinder.sources.opening import SOURCES, OpenSource, open_sources
from pathfinder.sources.spec import SourceSpec, parse_source

__all__ = [
    "SOURCES",
    "Access",
    "Memory",
    "OpenSource",
    "Row",
    "SourceKind",
    "SourceSpec",
    "Window",
    "open_sources",
    "parse_source",
]
