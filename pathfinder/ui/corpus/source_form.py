"""The kinds of sources, as explained in the form, and the kind of a source in a manifest."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pathfinder.sources import SOURCES, SourceKind, parse_source
from pathfinder.sources.spec import FILE
from pathfinder.text.latex.display import for_markdown

KIND_HELP = "SCHEME:QUERY, as on the command line, such as arxiv:cat:astro-ph.GA"


def kind_list(kinds: Sequence[SourceKind]) -> None:
    """List the kinds of sources, each with an example, what it provides and needs, and its terms."""
    for kind in kinds:
        needs = f" Needs {kind.key}." if kind.needs_key and kind.key else ""
        st.markdown(
            f"**{for_markdown(kind.label)}**: `{kind.examples[0]}`  \n"
            f"{for_markdown(f'Gives {kind.gives}.{needs} Terms: {kind.terms}')}"
        )


def is_path(source: str) -> bool:
    """Return whether a source in a manifest is a file or folder."""
    return parse_source(source, SOURCES).scheme == FILE


def is_upload(source: str) -> bool:
    """Return whether a source is an uploaded file; uploaded files are in hidden folders."""
    return any(part.startswith(".") and part != ".." for part in Path(source).parts)
