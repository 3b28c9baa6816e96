"""Retraction Watch's list, fetched at most once a day from where Crossref publishes it."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

from pathfinder.errors import UnusableReply
from pathfinder.settings import Settings
from pathfinder.sources.http.host import Host
from pathfinder.sources.http.pace import Clock

CROSSREF = "crossref"
"""Word that stands for the published list, in place of a file name."""
_PATH = "crossref/retraction-watch-data/-/raw/main/retraction_watch.csv"
_COLUMN = b"RetractionNature"


def fetch_retractions(
    settings: Settings, say: Callable[[str], None], clock: Clock | None = None, today: date | None = None
) -> Path:
    """Return the list's file in the user's cache folder; the list is fetched unless that has already been done on the
    day `today`.

    Raises a `ProviderError` if it cannot be fetched, or if the reply is not the list.
    """
    from pathfinder.sources.http.web import Web, surroundings_of

    around = surroundings_of(settings, clock or Clock(), say)
    target = around.folder / "retraction-watch" / f"{today or datetime.now(UTC).date()}.csv"
    if target.is_file():
        return target
    with Web(_host(settings), around) as web:
        web.download(_PATH, target)
    with target.open("rb") as file:
        is_list = _COLUMN in file.readline(1 << 16)
    if not is_list:
        target.unlink()
        raise UnusableReply(f"Retraction Watch's list has no column {_COLUMN.decode()}: {_host(settings).hint}")
    for other in target.parent.glob("*.csv"):
        if other != target:
            other.unlink()
    return target


def _host(settings: Settings) -> Host:
    return Host(
        "Retraction Watch's list",
        settings.retractions_url or "https://gitlab.com",
        "PATHFINDER_RETRACTIONS_URL",
        pace_seconds=1.0,
        hint="try again later, or download retraction_watch.csv from gitlab.com/crossref/retraction-watch-data and "
        "use that file instead",
    )
