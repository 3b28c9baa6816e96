"""Files that a visitor has dropped onto the page, stored once per visit rather than at every run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from pathfinder.ui.corpus import uploads

_STORED, _ROUND = "visit-stored", "visit-round"


def paths_of(name: str, files: Sequence[Any], home: Path, allowed: Sequence[str] | None = None) -> tuple[Path, ...]:
    """Return the paths of the files dropped onto the field `name`; see `uploads.store`."""
    stored: dict[str, tuple[tuple[str, ...], tuple[Path, ...]]] = st.session_state.setdefault(_STORED, {})
    ids = tuple(file.file_id for file in files)
    if name not in stored or stored[name][0] != ids or not all(path.exists() for path in stored[name][1]):
        stored[name] = ids, uploads.store(files, home, allowed)
    return stored[name][1]


def begin_afresh() -> None:
    """Empty the fields, because their contents are already being built."""
    st.session_state.pop(_STORED, None)
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1


def key(name: str) -> str:
    """Return the key of a field in this round of the form."""
    return f"{name}-{st.session_state.get(_ROUND, 0)}"
