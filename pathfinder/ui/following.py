"""Widgets that follow the address: made with what it says, and set anew when it says something else."""

from typing import Any

import streamlit as st


def following(key: str, value: Any, name: str = "default") -> dict[str, Any]:
    """What the widget `key` is to be called with, so that it shows `value`; `name` is what it calls its first value.

    A widget that is only set through the session's state is empty in the browser for a moment, and a run that begins
    just then takes it for emptied by the reader.
    """
    if key in st.session_state and st.session_state[key] != value:
        st.session_state[key] = value
    return {"key": key, name: value}
