"""Files in Pathfinder's own formats: JSON that names its format, so that files in any other format are refused."""

from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from pydantic import TypeAdapter

from pathfinder.errors import UsageError
from pathfinder.text.strict_json import has_half_characters, parse_as, parse_json, to_json


class NamedFormat(Protocol):
    """Contents of a file that names its format."""

    @property
    def format(self) -> str:
        """Name of the format, such as "pathfinder shelf 1"."""


Contents = TypeVar("Contents", bound=NamedFormat)


@dataclass(frozen=True, slots=True)
class OwnFile(Generic[Contents]):
    """A file format, and the kind of contents that its files have."""

    adapter: TypeAdapter[Contents]
    format: str
    noun: str
    """Word for the contents of a file, such as "shelf"."""
    remedy: str
    """Advice, at the end of error messages, on what to do about a file that cannot be used."""
    max_characters: int | None = None

    def text(self, contents: Contents) -> str:
        """Return `contents` as the text of a file in this format."""
        return to_json(self.adapter, contents)

    def read(self, path: Path) -> Contents:
        """Read a file in this format. Raises `UsageError` for any other file."""
        try:
            text = path.read_bytes()
        except OSError as error:
            raise UsageError(f"{path} cannot be read ({error.strerror}): {self.remedy}") from error
        return self.parse(text, str(path))

    def parse(self, text: bytes | str, name: str) -> Contents:
        """Parse the text of the file called `name`, as `read` does."""
        if self.max_characters is not None and len(text) > self.max_characters:
            raise UsageError(
                f"{name} has {len(text):,} characters, and a {self.noun} has at most {self.max_characters:,}: "
                f"{self.remedy}"
            )
        try:
            contents = parse_as(self.adapter, text)
            is_broken = has_half_characters(parse_json(text if isinstance(text, str) else text.decode()))
        except (ValueError, UsageError, RecursionError) as error:
            raise UsageError(f"{name} is not the file of a {self.noun} ({error}): {self.remedy}") from error
        if is_broken or contents.format != self.format:
            other = f"the format {contents.format[:40]!r}, not {self.format!r}"
            fault = "half a surrogate pair in it" if is_broken else other
            raise UsageError(f"{name} has {fault}: {self.remedy}")
        return contents
