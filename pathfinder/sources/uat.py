"""The Unified Astronomy Thesaurus (UAT), fetched once from its authors' site."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pathfinder.settings import Settings
from pathfinder.sources.http.host import Host
from pathfinder.sources.http.pace import Clock
from pathfinder.text.files import write_file
from pathfinder.text.strict_json import parse_json

if TYPE_CHECKING:
    from pathfinder.sources.http.web import FetchReply

UAT = "uat"
"""Word that stands for this thesaurus, in place of a file name."""
TITLE, VERSION, LICENCE = "Unified Astronomy Thesaurus", "5.1.0", "CC BY-SA 3.0"
TERMS = f"{TITLE} {VERSION} (astrothesaurus.org), under {LICENCE}: credit it, and share changes under the same licence"

_COMMIT = "8886cf4f9b51f2d907fcc4836d00cbc7d6ac8b92"
"""Commit of version 5.1.0, so that the same words are fetched until Pathfinder moves to another version."""
_FILE = "UAT_list.json"


def fetch_uat(settings: Settings, say: Callable[[str], None], clock: Clock | None = None) -> Path:
    """Return the file of the thesaurus in the user's cache folder; it is fetched if it is not yet there.

    `say` receives its version and licence. Raises a `ProviderError` if it cannot be fetched.
    """
    from pathfinder.sources.http.web import Web, surroundings_of

    say(TERMS)
    around = surroundings_of(settings, clock or Clock(), say)
    target = around.folder / UAT / VERSION / _FILE
    if target.is_file():
        return target
    with Web(_host(settings), around) as web:
        content = web.get(f"astrothesaurus/UAT/{_COMMIT}/{_FILE}", {}, _check)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_file(target, content)
    return target


def _host(settings: Settings) -> Host:
    return Host(
        "the Unified Astronomy Thesaurus",
        settings.uat_url or "https://raw.githubusercontent.com",
        "PATHFINDER_UAT_URL",
        pace_seconds=1.0,
        hint=f"check the network, or download {_FILE} from github.com/astrothesaurus/UAT and use that file instead",
    )


def _check(reply: "FetchReply") -> bytes:
    """Return the content of a reply. Raises `ValueError` for anything but a list of concepts."""
    if not isinstance(parse_json(reply.content.decode(), dict), list):
        raise ValueError("JSON without a list of concepts")
    return reply.content
