"""The copy of this server's feedback on the Hugging Face Hub: one for all visitors."""

import logging
from typing import TYPE_CHECKING

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.feedback import FeedbackStore
from pathfinder.settings import Settings

if TYPE_CHECKING:
    from pathfinder.feedback.hub_copy import HubCopy

_LOG = logging.getLogger(__name__)


def copy_on_hub(store: FeedbackStore, settings: Settings) -> None:
    """Begin copying the judgements of `store`, unless copying has already begun or failed; the server's log says why it
    failed.
    """
    key = settings.hf_token.get_secret_value() if settings.hf_token else ""
    _begun(settings.feedback_data_set, key, settings.feedback_days, store)


@st.cache_resource(show_spinner=False)
def _begun(data_set: str, _key: str, keep_days: int, _store: FeedbackStore) -> "HubCopy | None":
    from pathfinder.feedback.hub_copy import HubCopy, hub

    try:
        return HubCopy(_store, data_set, hub(_key), keep_days=keep_days)
    except PathfinderError as error:
        _LOG.warning("%s", error)
        return None
