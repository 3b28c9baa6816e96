"""What is opened once and shared by every reader: never changed after it is made."""

from pathlib import Path

import streamlit as st

from pathfinder.errors import CorpusError, ModelError
from pathfinder.explorer import Pathfinder
from pathfinder.models.loading import load_embedder
from pathfinder.models.ports import Embedder
from pathfinder.settings import LOCAL_EMBEDDER, read_settings
from pathfinder.ui.keys import of_visit


def pathfinder() -> Pathfinder:
    """The corpus that this server shows, with the reader's own chat model, if one was typed.

    Raises `CorpusError` when none is named or it cannot be opened.
    """
    folder = read_settings().corpus
    if folder is None:
        raise CorpusError("no corpus is open: start with `make app`, or name one with PATHFINDER_CORPUS=DIR")
    return of_visit(_opened(folder))


def may_read_paths() -> bool:
    """Whether visitors of this server may have it read any path, and run what someone pays for."""
    return read_settings().evaluate_paths


@st.cache_resource(show_spinner="Opening the corpus ...")
def _opened(folder: Path) -> Pathfinder:
    return Pathfinder.open(folder, settings=read_settings())


def has_cohere_key() -> bool:
    """Whether this server can have Cohere rerank."""
    return read_settings().cohere_api_key is not None


@st.cache_resource(show_spinner="Loading the embedder ...")
def local_embedder() -> Embedder | None:
    """The embedder that ships with Pathfinder; `None` where it is not installed, so that words alone are compared."""
    try:
        return load_embedder(LOCAL_EMBEDDER, read_settings())
    except ModelError:
        return None
