"""A visitor's standing questions: in the data folder for the owner of this machine, otherwise in their browser."""

from collections.abc import Callable
from pathlib import Path

from pathfinder.addons.standing.log import StandingLog, StandingStore
from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import PathfinderError
from pathfinder.ui.stars.own_shelves import is_stored, own


def own_standing() -> StandingStore:
    """Return the standing questions of this visitor and the open corpus. Raises `UsageError` if no corpus is open."""
    return own(StandingStore)


def n_standing(folder: Path) -> int:
    """Return the number of this visitor's standing questions about the corpus in `folder`; 0 if they cannot be read,
    which *What is new* reports.
    """
    try:
        return len(own(StandingStore, corpus_name(folder)).log().questions())
    except PathfinderError:
        return 0


def change(changes: Callable[[StandingLog], StandingLog]) -> None:
    """Change the log; if it could not be stored, say why."""
    is_stored(lambda: own_standing().change(changes))
