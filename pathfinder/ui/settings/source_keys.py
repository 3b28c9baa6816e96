"""A reader's own keys for live sources: typed into the page, and used for this visit only.

They stay in the server's memory until the tab is closed or the reader removes them, and never appear in a link, file,
log or message.
"""

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.settings import Settings, read_settings
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import LIVE_SOURCE_LABELS, LiveSource
from pathfinder.ui.shared.resources import is_in_ads
from pathfinder.ui.shared.visit_entries import EXPLORERS, KEY_VARIABLES, goes_elsewhere, live_keys, source_keys

MESSAGE = "visit-live-said"
MAX_KEY = 200
"""Maximum number of characters in a key."""


def panel() -> None:
    """Name the sources that use the reader's own keys, and show a form to enter others."""
    own = [LIVE_SOURCE_LABELS[source] for source in live_keys()]
    label = f"Your own keys: {', '.join(own)}" if own else "Your own keys for live sources"
    with st.popover(label, key="visit-live", type="tertiary"):
        if own:
            st.markdown(f"Requests to {' and '.join(own)} use your keys until you close this tab or remove them.")
            st.button("Remove the keys", key="visit-live-forget", icon=":material/key_off:", on_click=_forget)
        with st.form("visit-live-form", clear_on_submit=True, border=False):
            for source in _sources_with_key():
                label = LIVE_SOURCE_LABELS[source]
                st.text_input(label, key=_field(source), type="password", autocomplete="off")
            st.form_submit_button("Use for this visit", on_click=_take)
        st.caption("Kept in memory until you close this tab, and never written to a link, a file or a log.")
        if MESSAGE in st.session_state:
            st.warning(for_markdown(st.session_state[MESSAGE]))


def check_key(source: LiveSource, key: str, settings: Settings) -> None:
    """Raise `UsageError`, which does not repeat `key`, if `key` cannot be a key, or if this server would send it to an
    address set by its owner.
    """
    name = LIVE_SOURCE_LABELS[source]
    if not key.isascii() or not key.isprintable() or " " in key or len(key) > MAX_KEY:
        raise UsageError(
            f"a key for {name} has at most {MAX_KEY} plain letters, digits and symbols: copy it again from your account"
        )
    if goes_elsewhere(source, settings):
        raise UsageError(
            f"this server sends requests for {name} to a custom address, so your key would go there: ask whoever "
            "runs this server"
        )


def _sources_with_key() -> list[LiveSource]:
    """Return the sources that take keys; ADS is included only for a field whose papers it covers."""
    has_ads = is_in_ads()
    return [source for source in KEY_VARIABLES if has_ads or source is not LiveSource.ADS]


def _field(source: LiveSource) -> str:
    return f"visit-live-{source.value}"


def _take() -> None:
    """Take the keys from the form, which calls this before the page is redrawn, and empty its fields; if one is
    rejected, none is kept.
    """
    st.session_state.pop(MESSAGE, None)
    texts = {source: str(st.session_state.get(_field(source)) or "").strip() for source in KEY_VARIABLES}
    st.session_state.update(dict.fromkeys(map(_field, KEY_VARIABLES), ""))
    entries = {source: key for source, key in texts.items() if key}
    try:
        for source, key in entries.items():
            check_key(source, key, read_settings())
    except UsageError as error:
        st.session_state[MESSAGE] = str(error)
        return
    source_keys().update({KEY_VARIABLES[source]: key for source, key in entries.items()})
    st.session_state.pop(EXPLORERS, None)


def _forget() -> None:
    for variable in KEY_VARIABLES.values():
        source_keys().pop(variable, None)
    for name in (EXPLORERS, MESSAGE):
        st.session_state.pop(name, None)
