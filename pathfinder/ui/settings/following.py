"""Widgets that follow the address: each is created with the value in the address, and updated when the address
changes.
"""

from typing import Any

import streamlit as st


def following(key: str, value: Any, name: str = "default") -> dict[str, Any]:
    """Return the arguments that make the widget `key` show `value`; `name` is the widget's argument for its initial
    value.

    A widget that is set only through the session state is empty in the browser for a moment, and a run that starts at
    that moment would conclude that the reader had emptied it.
    """
    if key in st.session_state and st.session_state[key] != value:
        st.session_state[key] = value
    return {"key": key, name: value}
