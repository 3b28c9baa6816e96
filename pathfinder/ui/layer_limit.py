"""How many layers are on at once, wherever they are switched on."""

from pathfinder.errors import UsageError
from pathfinder.ui import live_canvas
from pathfinder.ui.landscape_state import MAX_LAYERS


def within_limit(wanted: tuple[str, ...], on: tuple[str, ...]) -> tuple[str, ...]:
    """The layers `wanted`; where they are too many, those that are `on`, with a note for the page to show."""
    if len(wanted) <= MAX_LAYERS:
        return wanted
    live_canvas.note(UsageError(f"at most {MAX_LAYERS} layers are drawn at once: take one off before you add another"))
    return on
