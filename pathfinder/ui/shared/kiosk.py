"""Kiosk: a page on a public screen, with large buttons, no links to other pages and no text input."""

from collections.abc import Mapping, Sequence

import streamlit as st

PARAMETER = "kiosk"
"""Parameter of the address: `kiosk=1`."""
STYLES = """
<style>
header[data-testid="stHeader"], [data-testid="stToolbar"], footer { display: none !important; }
[data-testid="stMainBlockContainer"] { padding: 1rem 1.5rem 0 !important; max-width: none; }
[data-testid="stMain"] button { min-height: 56px; min-width: 56px; font-size: 1.15rem; }
[data-testid="stMain"] button p, [data-testid="stMain"] .stMarkdown p { font-size: 1.15rem; }
[data-testid="stMain"] a { pointer-events: none; text-decoration: none; color: inherit; }
[data-testid="stHeaderActionElements"] { display: none; }
.st-key-world-stage { --atlas-height: calc(100vh - 190px); }
@media (max-width: 640px) { .st-key-world-stage { --atlas-height: 62vh; } }
body { user-select: none; }
</style>
"""


def is_on() -> bool:
    """Return whether the address asks for a kiosk, which only the map for the public can be."""
    return st.query_params.get("look") == "public" and is_in({PARAMETER: st.query_params.get_all(PARAMETER)})


def is_in(parameters: Mapping[str, Sequence[str]]) -> bool:
    """Return whether the parameters of an address ask for a kiosk."""
    return list(parameters.get(PARAMETER, ()))[-1:] == ["1"]
