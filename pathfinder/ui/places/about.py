"""About: what Pathfinder is, how to ask a question, what its limitations are, what is open, and the plug-ins in use."""

from pathlib import Path
from string import Template
from typing import Any

import streamlit as st

from pathfinder.answering.modes.registry import MODES
from pathfinder.corpus.readers.registry import READERS
from pathfinder.facade import Pathfinder
from pathfinder.facade.pathfinder import ADDED_METHODS
from pathfinder.facade.shelves import SHELF_FILES
from pathfinder.index.engines import ENGINES
from pathfinder.landscape.layers.base import layer_registry
from pathfinder.models.loading import CHAT_MODELS, EMBEDDERS, RERANKERS
from pathfinder.models.ports import KeylessEmbedder
from pathfinder.operations import OPERATIONS
from pathfinder.plugins import Registry, declared_groups
from pathfinder.profile import Profile
from pathfinder.profile.profile import Bibliography
from pathfinder.retrieval.factors import FACTORS
from pathfinder.settings import Settings, read_settings
from pathfinder.sources.opening import SOURCES
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui import as_of
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import panels, resources, visit_corpus

N_TERMS = 3
"""Number of ambiguous terms named as examples."""
LOG_NOTE = "It is not logged, but questions sent to this server's API are."
MODERATION_NOTE = " but your question, which OpenAI's moderation checks first,"
_BIBLIOGRAPHIES = {
    Bibliography.ADS: "[ADS](https://ui.adsabs.harvard.edu)",
    Bibliography.NONE: "a bibliographic database of the field",
}


def words_of(profile: Profile, settings: Settings) -> dict[str, str]:
    """Return the words for the blanks in `places/about.md`, as Markdown, keyed by the names of the blanks."""
    terms = [for_markdown(term.term) for term in profile.overloaded_terms[:N_TERMS]]
    phrases = ["after 2015", "in the last five years", *filter(None, [profile.page.years])]
    return {
        "ambiguous": f" ({', '.join(terms)})" if terms else "",
        "years": ", ".join(f'"{for_markdown(phrase)}"' for phrase in phrases),
        "questions": LOG_NOTE if settings.log != "off" and settings.keep_questions else "It is not logged.",
        "moderation": MODERATION_NOTE if settings.moderation == "openai" else "",
        "bibliography": _BIBLIOGRAPHIES[profile.services.bibliography],
    }


def what_is_open(pf: Pathfinder) -> None:
    """Show the corpus and the models available on this server, and what a chat model would add."""
    corpus, manifest = pf.corpus.name, pf.corpus.manifest
    without_key = ", whose key is not set: papers are searched by words alone"
    without_key = without_key if isinstance(pf.embedder, KeylessEmbedder) else ""
    snapshot = "undated" if manifest.snapshot is None else f"as of {manifest.snapshot:%d %B %Y}"
    st.header("This server")
    st.markdown(
        f"- Library {for_markdown(corpus.name)}: {corpus.n_papers:,} papers, {snapshot}, version {corpus.version}\n"
        f"- Embedder: {for_markdown(pf.embedder.name)}{without_key}\n"
        f"- Chat model: {'none' if pf.chat is None else for_markdown(pf.chat.name)}"
    )
    if pf.chat is None:
        st.caption(
            "With a chat model, answers are written from the papers rather than quoted from them: set "
            "PATHFINDER_CHAT_MODEL (for example to openai:gpt-4o-mini) and the provider's key, then restart Pathfinder."
        )


def plug_ins() -> None:
    """List the plug-ins; show nothing if no other package declares any, or if plug-ins are switched off."""
    registries: tuple[Registry[Any], ...] = (
        *(READERS, SOURCES, ENGINES, EMBEDDERS, RERANKERS, CHAT_MODELS, MODES, FACTORS, layer_registry()),
        *(OPERATIONS, ADDED_METHODS, SHELF_FILES),
        *(Registry(group, object, {}, "command") for group in declared_groups("pathfinder.command")),
        *(panels.registry(group.removeprefix(panels.GROUPS)) for group in declared_groups(panels.GROUPS)),
    )
    for registry in registries:
        registry.all()
    in_use = [line for registry in registries for line in registry.plug_ins()]
    problems = [problem for registry in registries for problem in registry.problems()]
    if in_use or problems:
        st.header("Plug-ins")
    if in_use:
        st.markdown("\n".join(f"- {for_markdown(line)}" for line in in_use))
    for problem in problems:
        st.warning(for_markdown(str(problem)))


visit_corpus.write_link()

st.title("About Pathfinder")
as_of.whole_corpus()
text = Template((Path(__file__).parent / "about.md").read_text(encoding="utf-8"))
st.markdown(text.substitute(words_of(resources.profile(), read_settings())))
with controls.reporting():
    what_is_open(resources.whole())
panels.draw("about")
plug_ins()
