"""A citation and its position in a text."""

from typing import NamedTuple


class CitedAt(NamedTuple):
    """Position of a citation in a text, and the keys of the references that it cites; no keys if it fits none."""

    start: int
    end: int
    keys: tuple[str, ...]
