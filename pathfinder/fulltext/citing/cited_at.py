"""A citation at its place in a text."""

from typing import NamedTuple


class CitedAt(NamedTuple):
    """Place of a citation in a text, and the keys of the references that it cites; none if it fits none."""

    start: int
    end: int
    keys: tuple[str, ...]
