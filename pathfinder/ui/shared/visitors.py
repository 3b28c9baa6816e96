"""Corpora that visitors to a public page have built: a key in the address finds them again, and they expire.

The folder of a corpus is `.visitors/VISITOR/ID/NAME` in the folder for new corpora. VISITOR is a hash of the visitor's
key, so that no path or message contains the key; ID is random, and a link that names it lets others read the corpus.
"""

import hashlib
import os
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from pathfinder.corpus.manifest import is_corpus
from pathfinder.errors import UsageError
from pathfinder.text.files import private_folder

FOLDER = ".visitors"
"""Name of the folder for these corpora in the folder for new corpora; no corpus can have this name."""
_SECONDS_A_DAY = 24 * 3600.0
_LINK_NAME = re.compile(r"[a-z0-9-]+-([0-9a-f]{32})")


def new_key() -> str:
    """Return a key that nobody can guess: 128 random bits."""
    return secrets.token_urlsafe(16)


def folder_of(key: str, home: Path) -> Path:
    """Return the folder for the corpora of the visitor with `key`, whatever characters it contains."""
    return home / FOLDER / hashlib.sha256(key.encode()).hexdigest()[:32]


def new_place(name: str, key: str, home: Path) -> Path:
    """Return the folder for a new corpus called `name`; no other corpus has it."""
    return folder_of(key, home) / secrets.token_hex(16) / name


def make_folder(place: Path, home: Path) -> None:
    """Make the folder for a new corpus, or close an old one to others; no one but the server may open it, nor the
    folders above it up to `home`.
    """
    home.mkdir(parents=True, exist_ok=True)
    for folder in (home / FOLDER, place.parent, place):
        private_folder(folder)


def corpora_in(folder: Path) -> tuple[Path, ...]:
    """Return the corpora in a visitor's folder, sorted by name."""
    return tuple(sorted((path for path in folder.glob("*/*") if is_corpus(path)), key=lambda path: path.name))


def all_corpora(home: Path) -> tuple[Path, ...]:
    """Return the corpora of all visitors."""
    return tuple(corpus for folder in sorted((home / FOLDER).glob("*")) for corpus in corpora_in(folder))


def check_number(key: str, home: Path, max_corpora: int) -> None:
    """Raise `UsageError` if the visitor with `key` already has `max_corpora` corpora, including unfinished ones."""
    n_corpora = len(tuple(folder_of(key, home).glob("*")))
    if n_corpora >= max_corpora:
        raise UsageError(
            f"you have {n_corpora} libraries here, and a visitor may have at most {max_corpora}: add to one of them, "
            "or run Pathfinder on your own machine"
        )


def check_space(home: Path, max_gb: float) -> None:
    """Raise `UsageError` if the corpora of all visitors take up `max_gb` (GB of 1e9 bytes) or more."""
    gb_in_use = sum(path.lstat().st_size for path in (home / FOLDER).rglob("*") if path.is_file()) / 1e9
    if gb_in_use >= max_gb:
        raise UsageError(
            f"visitors' libraries take up {gb_in_use:.1f} GB in all, but only {max_gb:g} GB are allowed: wait until "
            "old ones expire, or run Pathfinder on your own machine"
        )


def link_name(corpus: Path, home: Path) -> str | None:
    """Return the name by which a link refers to a visitor's corpus; `None` for any other corpus."""
    return f"{corpus.name}-{corpus.parent.name}" if corpus.is_relative_to(home / FOLDER) else None


def corpus_at(name: str, home: Path) -> Path | None:
    """Return the visitor's corpus to which a link refers as `name`, if there is one."""
    match = _LINK_NAME.fullmatch(name)
    matching = (home / FOLDER).glob(f"*/{match[1]}/*") if match else ()
    return next((folder for folder in matching if is_corpus(folder)), None)


def note_use(corpus: Path, home: Path) -> None:
    """Remember that a visitor's corpus was opened just now; do nothing for any other corpus."""
    if corpus.is_relative_to(home / FOLDER):
        make_folder(corpus.parent, home)
        os.utime(corpus.parent)


def remove_unused(home: Path, days: float, now: float) -> tuple[Path, ...]:
    """Delete visitors' corpora that nobody has opened or changed for `days` days, together with their uploaded files.

    Returns their folders. `now` is the time in seconds since 1970.
    """
    removed_folders: list[Path] = []
    for place in tuple((home / FOLDER).glob("*/*")):
        with suppress(OSError):  # another process is removing it too, or the visitor still has another corpus there
            inside = tuple(place.iterdir())
            if now - max(path.stat().st_mtime for path in (place, *inside)) > days * _SECONDS_A_DAY:
                shutil.rmtree(place, ignore_errors=True)
                removed_folders += inside
                place.parent.rmdir()
    return tuple(removed_folders)
