"""Makes the provenance of a text."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from pathfinder.fulltext.document import Road, TextProvenance


def provenance_of(path: Path, road: Road, warnings: Sequence[str] = ()) -> TextProvenance:
    """Return the provenance of a text that was read from the file at `path` in the format `road`."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return TextProvenance(road, path.name, digest, tuple(dict.fromkeys(warnings)))
