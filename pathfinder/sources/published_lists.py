"""Lists that others publish, fetched into the user's cache folder: the Unified Astronomy Thesaurus (UAT), once, and
Retraction Watch's list, at most once a day from where Crossref publishes it.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pathfinder.errors import UnusableReply
from pathfinder.settings import Settings
from pathfinder.sources.http.host import Host
from pathfinder.sources.http.pace import Clock
from pathfinder.text.files import write_file
from pathfinder.text.strict_json import parse_json

if TYPE_CHECKING:
    from pathfinder.sources.http.web import FetchReply

UAT, CROSSREF = "uat", "crossref"
"""Words that stand for the thesaurus and for the list of retractions, in place of a file name."""
TITLE, VERSION, LICENCE = "Unified Astronomy Thesaurus", "5.1.0", "CC BY-SA 3.0"
TERMS = f"{TITLE} {VERSION} (astrothesaurus.org), under {LICENCE}: credit it, and share changes under the same licence"

_COMMIT = "8886cf4f9b51f2d907fcc4836d00cbc7d6ac8b92"
"""Commit of version 5.1.0, so that the same words are fetched until Pathfinder moves to another version."""
_FILE = "UAT_list.json"
_RETRACTIONS = "crossref/retraction-watch-data/-/raw/main/retraction_watch.csv"
_COLUMN = b"RetractionNature"


def fetch_uat(settings: Settings, say: Callable[[str], None], clock: Clock | None = None) -> Path:
    """Return the file of the thesaurus; it is fetched if it is not yet there.

    `say` receives its version and licence. Raises a `ProviderError` if it cannot be fetched.
    """
    from pathfinder.sources.http.web import Web, surroundings_of

    say(TERMS)
    around = surroundings_of(settings, clock or Clock(), say)
    target = around.folder / UAT / VERSION / _FILE
    if target.is_file():
        return target
    host = Host(
        "the Unified Astronomy Thesaurus",
        settings.uat_url or "https://raw.githubusercontent.com",
        "PATHFINDER_UAT_URL",
        pace_seconds=1.0,
        hint=f"check the network, or download {_FILE} from github.com/astrothesaurus/UAT and use that file instead",
    )
    with Web(host, around) as web:
        content = web.get(f"astrothesaurus/UAT/{_COMMIT}/{_FILE}", {}, _list_of_concepts)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_file(target, content)
    return target


def _list_of_concepts(reply: "FetchReply") -> bytes:
    """Return the content of a reply. Raises `ValueError` for anything but a list of concepts."""
    if not isinstance(parse_json(reply.content.decode(), dict), list):
        raise ValueError("JSON without a list of concepts")
    return reply.content


def fetch_retractions(
    settings: Settings, say: Callable[[str], None], clock: Clock | None = None, today: date | None = None
) -> Path:
    """Return the file of Retraction Watch's list; it is fetched unless that has already been done on the day `today`.

    Raises a `ProviderError` if it cannot be fetched, or if the reply is not the list.
    """
    from pathfinder.sources.http.web import Web, surroundings_of

    around = surroundings_of(settings, clock or Clock(), say)
    target = around.folder / "retraction-watch" / f"{today or datetime.now(UTC).date()}.csv"
    if target.is_file():
        return target
    host = Host(
        "Retraction Watch's list",
        settings.retractions_url or "https://gitlab.com",
        "PATHFINDER_RETRACTIONS_URL",
        pace_seconds=1.0,
        hint="try again later, or download retraction_watch.csv from gitlab.com/crossref/retraction-watch-data and "
        "use that file instead",
    )
    with Web(host, around) as web:
        web.download(_RETRACTIONS, target)
    with target.open("rb") as file:
        is_list = _COLUMN in file.readline(1 << 16)
    if not is_list:
        target.unlink()
        raise UnusableReply(f"{host.name} has no column {_COLUMN.decode()}: {host.hint}")
    for other in target.parent.glob("*.csv"):
        if other != target:
            other.unlink()
    return target
