"""Files that a visitor uploads: checked, renamed and stored; only the process that builds reads them."""

import re
import secrets
import shutil
import time
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pathfinder.corpus.readers import PLAIN_TEXT, READERS
from pathfinder.errors import StoreError, UsageError
from pathfinder.sources import SOURCES, parse_source, spec
from pathfinder.text.files import private_folder, write_file

MAX_FILES = 20
MAX_FILE_MB = 50
MAX_TOTAL_MB = 100
"""Limit on the total size of one upload; the app keeps its files in memory until they are stored."""
MAX_NAME = 40
UPLOADS = ".uploads"
"""Name of the folder for uploads in the folder for new corpora; no corpus can have this name."""
ORDERS = ".orders"
"""Name of the folder next to it for the orders that are not yet carried out."""
_KEPT_SECONDS = 24 * 3600.0
"""Time in seconds for which an upload is kept if nothing is built from it."""
MAX_WAITING = 50
"""Maximum number of uploads that are kept while nothing has been built from them."""
_NOT_PLAIN = re.compile(r"[^a-z0-9]+")


def endings() -> tuple[str, ...]:
    """Return the file-name endings that the readers know, plain and gzipped."""
    plain = sorted({PLAIN_TEXT, *(suffix for reader in READERS.all() for suffix in reader.suffixes)})
    return (*plain, *(f"{suffix}.gz" for suffix in plain))


def plain_name(text: str) -> str:
    """Return `text` in plain lower-case letters, digits and hyphens: "mein-zotero" for "Mein Zötero"."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _NOT_PLAIN.sub("-", ascii_text.lower()).strip("-")[:MAX_NAME].strip("-")


def safe_name(name: str, others: Sequence[str] = (), allowed_suffixes: Sequence[str] | None = None) -> str:
    """Return the name under which a file is stored, different from `others`. It keeps only the letters and digits of
    the visitor's name for the file, and one of `allowed_suffixes`, by default those that the readers of papers know.
    Raises `UsageError` for any other ending.
    """
    lower = name.lower()
    ending = max((ending for ending in allowed_suffixes or endings() if lower.endswith(ending)), key=len, default=None)
    if ending is None and allowed_suffixes:
        raise UsageError(f"{name[:80]!r} cannot be read here: upload a file ending in {', '.join(allowed_suffixes)}")
    if ending is None:
        suffixes = ", ".join(ending for ending in endings() if not ending.endswith(".gz"))
        raise UsageError(
            f"{name[:80]!r} is in a format that Pathfinder does not read: upload files ending in {suffixes}, gzipped "
            "or not; Zotero exports BibTeX, RIS, CSL JSON and CSV (File, Export Library)"
        )
    stem = plain_name(name[: -len(ending)]) or "file"
    names = (f"{stem}{number}{ending}" for number in ("", *(f"-{n}" for n in range(2, MAX_FILES + 1))))
    return next(name for name in names if name not in others)


def store(files: Sequence[UploadedFile], home: Path, allowed_suffixes: Sequence[str] | None = None) -> tuple[Path, ...]:
    """Write `files` into a new folder below `home`, and return their paths; see `safe_name`.

    Uploads that no order waits for are removed after a day, as are the oldest if there are too many. Raises
    `UsageError` for files that are not allowed.
    """
    if len(files) > MAX_FILES:
        raise UsageError(f"{len(files)} files are too many: upload at most {MAX_FILES}, or combine them")
    for file in files:
        if file.size > MAX_FILE_MB << 20:
            raise UsageError(
                f"{file.name[:80]!r} is {file.size / 2**20:.0f} MB, more than the {MAX_FILE_MB} MB allowed for a file "
                f"here: compress it with gzip, split it, or use the command line"
            )
    total = sum(file.size for file in files)
    if total > MAX_TOTAL_MB << 20:
        raise UsageError(
            f"the files are {total / 2**20:.0f} MB together, more than the {MAX_TOTAL_MB} MB allowed here: upload "
            "fewer, or use the command line"
        )
    names: list[str] = []
    for file in files:
        names.append(safe_name(file.name, names, allowed_suffixes))
    _remove_old(home)
    folder = home / UPLOADS / secrets.token_hex(8)
    home.mkdir(parents=True, exist_ok=True)
    private_folder(folder.parent)
    private_folder(folder)
    paths = tuple(folder / name for name in names)
    try:
        for path, file in zip(paths, files, strict=True):
            write_file(path, file.getvalue(), private=True)
    except StoreError:
        shutil.rmtree(folder)
        raise
    return paths


def sources_of(corpus: Path, home: Path) -> Path:
    """Return the folder that keeps the files of `corpus`: next to the corpus if that is in `home`."""
    return (corpus.parent if corpus.is_relative_to(home) else home) / f".{corpus.name}.sources"


def keep(paths: Sequence[Path], home: Path, corpus: Path) -> tuple[Path, ...]:
    """Move stored files to where updates of `corpus` will find them, and return their paths."""
    folder = sources_of(corpus, home)
    folder.parent.mkdir(parents=True, exist_ok=True)
    own = private_folder(folder) / paths[0].parent.name
    if paths[0].parent != own:
        shutil.move(paths[0].parent, own)
    return tuple(own / path.name for path in paths)


def _remove_old(home: Path) -> None:
    folder = home / UPLOADS
    orders = "".join(path.read_text(encoding="utf-8") for path in (home / ORDERS).glob("*.json"))
    newest_first = sorted(folder.iterdir(), key=lambda upload: -upload.stat().st_mtime) if folder.is_dir() else []
    limit = time.time() - _KEPT_SECONDS
    for place, upload in enumerate(newest_first, start=1):
        is_old = place >= MAX_WAITING or upload.stat().st_mtime < limit
        if is_old and upload.name not in orders:  # an order that was cut short may be resumed
            shutil.rmtree(upload, ignore_errors=True)


# Files that a visitor has dropped onto the page, stored once per visit rather than on every run of the page.

_FILES, _ROUND = "visit-stored", "visit-round"


def paths_of(
    name: str, files: Sequence[UploadedFile], home: Path, allowed_suffixes: Sequence[str] | None = None
) -> tuple[Path, ...]:
    """Return the paths of the files dropped onto the field `name`; see `uploads.store`."""
    visit_files: dict[str, tuple[tuple[str, ...], tuple[Path, ...]]] = st.session_state.setdefault(_FILES, {})
    ids = tuple(file.file_id for file in files)
    if (
        name not in visit_files
        or visit_files[name][0] != ids
        or not all(path.exists() for path in visit_files[name][1])
    ):
        visit_files[name] = ids, store(files, home, allowed_suffixes)
    return visit_files[name][1]


def begin_afresh() -> None:
    """Empty the fields, because a build that uses their contents has begun."""
    st.session_state.pop(_FILES, None)
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1


def key(name: str) -> str:
    """Return the key of a field in this round of the form."""
    return f"{name}-{st.session_state.get(_ROUND, 0)}"


def is_path(source: str) -> bool:
    """Return whether a source in a manifest is a file or folder."""
    return parse_source(source, SOURCES).scheme == spec.FILE


def is_upload(source: str) -> bool:
    """Return whether a source is an uploaded file; uploaded files are in hidden folders."""
    return any(part.startswith(".") and part != ".." for part in Path(source).parts)
