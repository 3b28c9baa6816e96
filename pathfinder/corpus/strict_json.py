"""What a build worked out and wrote as JSON, read back: what it should be, or damage."""

from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from pathfinder.errors import CorpusDamaged

Kept = TypeVar("Kept")


def to_json(adapter: TypeAdapter[Kept], value: Kept) -> str:
    """`value` as indented JSON."""
    return adapter.dump_json(value, indent=1).decode() + "\n"


def from_json(adapter: TypeAdapter[Kept], text: str | bytes, what: str) -> Kept:
    """Raises `CorpusDamaged`, naming `what`, for anything but what `to_json` writes."""
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise CorpusDamaged(f"{what} cannot be read ({place}: {first['msg']}): build the corpus again") from error
