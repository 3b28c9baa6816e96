"""The grammar of a source: a path, or `scheme:rest`."""

import re
from collections.abc import Container
from dataclasses import dataclass

from pathfinder.errors import UsageError

FILE = "file"
"""Scheme for files and folders, which are written as plain paths."""

_SCHEME = re.compile(r"([a-z][a-z0-9-]+):(.*)", re.DOTALL)
_NAMED_KEY = re.compile(
    r"(?:api[_-]?key|apikey|access[_-]?token|auth|token|password|passwd|secret|bearer)\s*[=:]|(?:^|[?&;,\s])key=|//[^/@\s]+@",
    re.IGNORECASE,
)
_LIKE_A_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:hf_|sk-)[\w-]{16,}|(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*\d)"
    r"[A-Za-z0-9]{24,})(?![A-Za-z0-9])"
)
"""Texts that look like keys: Hugging Face's and others with a known prefix, or 24 or more letters and digits in mixed
case.
"""


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """A source as written on the command line, on the page and in the manifest."""

    scheme: str
    rest: str
    """Text after the colon; for a file or folder, the path."""

    def __str__(self) -> str:
        return self.rest if self.scheme == FILE else f"{self.scheme}:{self.rest}"


def parse_source(source: str, schemes: Container[str]) -> SourceSpec:
    """Parse a source. Anything that does not begin with one of `schemes` is a path; a `./` in front ensures that it is
    read as one.

    Raises `UsageError` if the source is empty, or if it contains a key: keys come from the environment, and a source is
    written into the manifest.
    """
    if not source.strip():
        raise UsageError("a source is empty: name a file, a folder, or SCHEME:QUERY (see `pathfinder sources`)")
    match = _SCHEME.fullmatch(source)
    if match is None or match[1] == FILE or match[1] not in schemes:
        if _NAMED_KEY.search(source):
            raise UsageError(
                "a source that begins with none of the known schemes seems to contain a key: leave the key out, "
                "and see `pathfinder sources` for the schemes and for the environment variables that hold keys"
            )
        return SourceSpec(FILE, source.removeprefix(f"{FILE}:"))
    if _NAMED_KEY.search(match[2]) or _LIKE_A_KEY.search(match[2]):
        raise UsageError(
            f"the source {match[1]}:... seems to contain a key: leave it out and set it in the environment instead "
            "(`pathfinder sources` names the variable), because sources are stored in the corpus"
        )
    return SourceSpec(match[1], match[2])
