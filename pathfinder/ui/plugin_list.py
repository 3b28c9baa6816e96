"""The plug-ins of this server: those in use, and those that were left out, with the reasons."""

from typing import Any

import streamlit as st

from pathfinder.answering.modes.registry import MODES
from pathfinder.corpus.readers.registry import READERS
from pathfinder.landscape.layers.registry import layer_registry
from pathfinder.models.loading import CHAT_MODELS, EMBEDDERS, RERANKERS
from pathfinder.plugins.registry import Registry
from pathfinder.retrieval.factors import FACTORS
from pathfinder.sources.registry import SOURCES
from pathfinder.text.latex.display import for_markdown


def panel() -> None:
    """List the plug-ins; show nothing if no other package declares any, or if plug-ins are switched off."""
    registries: tuple[Registry[Any], ...] = (
        READERS, SOURCES, EMBEDDERS, RERANKERS, CHAT_MODELS, MODES, FACTORS, layer_registry(),
    )  # fmt: skip
    for registry in registries:
        registry.all()
    in_use = [line for registry in registries for line in registry.plug_ins()]
    problems = [problem for registry in registries for problem in registry.problems()]
    if in_use or problems:
        st.subheader("Plug-ins")
    if in_use:
        st.markdown("\n".join(f"- {for_markdown(line)}" for line in in_use))
    for problem in problems:
        st.warning(for_markdown(str(problem)))
