"""Makes the provenance of a text."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from pathfinder.fulltext.document import TextFormat, TextProvenance


def provenance_of(path: Path, text_format: TextFormat, warnings: Sequence[str] = ()) -> TextProvenance:
    """Return the provenance of a text that was read from the file at `path` in the format `text_format`."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return TextProvenance(text_format, path.name, digest, tuple(dict.fromkeys(warnings)))
