"""Files that a visitor has dropped onto the page, stored once per visit rather than on every run of the page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from pathfinder.ui.corpus import uploads

_FILES, _ROUND = "visit-stored", "visit-round"


def paths_of(
    name: str, files: Sequence[Any], home: Path, allowed_suffixes: Sequence[str] | None = None
) -> tuple[Path, ...]:
    """Return the paths of the files dropped onto the field `name`; see `uploads.store`."""
    visit_files: dict[str, tuple[tuple[str, ...], tuple[Path, ...]]] = st.session_state.setdefault(_FILES, {})
    ids = tuple(file.file_id for file in files)
    if (
        name not in visit_files
        or visit_files[name][0] != ids
        or not all(path.exists() for path in visit_files[name][1])
    ):
        visit_files[name] = ids, uploads.store(files, home, allowed_suffixes)
    return visit_files[name][1]


def begin_afresh() -> None:
    """Empty the fields, because a build that uses their contents has begun."""
    st.session_state.pop(_FILES, None)
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1


def key(name: str) -> str:
    """Return the key of a field in this round of the form."""
    return f"{name}-{st.session_state.get(_ROUND, 0)}"
