"""A visitor's screening: in their session and, for the person at this machine, in a file as well."""

import re
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

from pathfinder.errors import StoreError
from pathfinder.screening.choices import ScreeningVerdict
from pathfinder.screening.decisions import Screening
from pathfinder.screening.session_files import parse_session, read_session, write_session
from pathfinder.session import Pathfinder
from pathfinder.settings import read_settings
from pathfinder.text.files import close_to_others, private_folder
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.user_data import data_folder

_SCREENING, _FILE = "screening", "screening-file"
QUESTION, REASON, SHELF = "screening-question", "screening-reason", "screening-shelf"
_FOLDER = "screenings"
_MAX_NAME = 40


def current() -> Screening | None:
    """Return the screening under way; `None` if there is none."""
    screening: Screening | None = st.session_state.get(_SCREENING)
    return screening


def read_link() -> None:
    """Put the question from a link (`screen?q=...`) into the form."""
    question = st.query_params.get("q")
    if question:
        st.session_state[QUESTION] = question


def _up_to_date() -> Screening | None:
    """Return the screening under way, read from its file if it has one, because another tab may have continued it."""
    path: Path | None = st.session_state.get(_FILE)
    return read_session(path)[1] if path is not None and path.exists() else current()


def saved_files() -> tuple[Path, ...]:
    """List the files of earlier screenings, newest first; empty for a visitor from elsewhere."""
    if not is_visited_here():
        return ()
    paths = _folder().glob("*.json") if _folder().is_dir() else ()
    return tuple(sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True))


def begin(pf: Pathfinder, screening: Screening) -> None:
    """Make a new screening the current one, and save it if this is the visitor's own machine."""
    st.session_state[_FILE] = _new_file(screening.question) if is_visited_here() else None
    keep(pf, screening)


def open_file(path: Path) -> None:
    """Continue the screening in the file at `path`; later decisions rewrite the file."""
    close_to_others(path)
    st.session_state[_SCREENING], st.session_state[_FILE] = read_session(path)[1], path


def open_upload(pf: Pathfinder, text: bytes, name: str) -> None:
    """Continue an uploaded screening."""
    begin(pf, parse_session(text, name)[1])


def keep(pf: Pathfinder, screening: Screening) -> None:
    """Remember the screening, and write its file if it has one; say so if that fails."""
    st.session_state[_SCREENING] = screening
    path: Path | None = st.session_state.get(_FILE)
    if path is not None:
        try:
            private_folder(path.parent)
            write_session(path, corpus_of(pf), screening)
        except (OSError, StoreError) as error:
            st.error(for_markdown(f"This was not stored: {error}"))


def corpus_of(pf: Pathfinder) -> Path:
    """Return the corpus folder to be named in a visitor's file: only its last part if the visitor is elsewhere."""
    return pf.corpus.folder.resolve() if is_visited_here() else Path(pf.corpus.folder.resolve().name)


def close() -> None:
    """Leave the screening; its file is kept."""
    st.session_state[_SCREENING] = st.session_state[_FILE] = None


def decide(pf: Pathfinder, paper_id: str, verdict: ScreeningVerdict) -> None:
    """Record the visitor's decision on a paper, with the reason that they typed."""
    screening = _up_to_date()
    if screening is not None:
        reason = str(st.session_state.get(REASON) or "").strip() or None
        keep(pf, screening.decide(paper_id, verdict, datetime.now(UTC), reason))
        st.session_state[REASON] = ""  # the reason was given for this paper only


def undo(pf: Pathfinder) -> None:
    """Undo the last decision."""
    screening = _up_to_date()
    if screening is not None and screening.decisions:
        keep(pf, screening.undo())


def file_name(question: str, suffix: str) -> str:
    """Return a file name made from the words of a question."""
    words = re.sub(r"[^a-z0-9]+", "-", question.lower()).strip("-")
    return f"{words[:_MAX_NAME].rstrip('-') or 'screening'}{suffix}"


def _folder() -> Path:
    return data_folder(read_settings()) / _FOLDER


def _new_file(question: str) -> Path:
    path = _folder() / file_name(question, ".json")
    for number in range(2, 1000):
        if not path.exists():
            break
        path = _folder() / file_name(question, f"-{number}.json")
    return path
