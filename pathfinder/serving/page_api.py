"""Who may call the API alongside the page: the pages of this process need to know for calls that a reader copies."""

from pathfinder.serving.access import ServerAccess

_SERVED: list[ServerAccess] = []
"""Who may call the API of this process; empty if it serves none."""


def announce(access: ServerAccess) -> None:
    """Say that this process serves the API at the address of its page."""
    _SERVED[:] = [access]


def served() -> ServerAccess | None:
    """Return who may call the API at the address of the page; `None` if this process serves none."""
    return _SERVED[0] if _SERVED else None
