"""Features by which the reader steers the search, each with a slider from less to more."""

import streamlit as st

from pathfinder.corpus.store import Corpus
from pathfinder.text.latex.display import for_markdown, with_options
from pathfinder.ui.shared.state import standing

LABEL = "More or less of"
HELP = (
    "A feature, named by phrases, is a direction in the space of the papers' vectors. Choose one, then move its slider."
)
FIRST_STRENGTH, STEP = 0.5, 0.05
_STEERS = "steers"


def slider_key(feature: str) -> str:
    """Return the key of a feature's slider."""
    return f"steer-{feature}"


def read(steers: tuple[tuple[str, float], ...], corpus: Corpus) -> tuple[tuple[str, float], ...]:
    """Draw the list of features with a slider for each chosen one, and return the reader's steers.

    A feature that this corpus does not have, such as one in a link made with another corpus, is listed too, so that the
    reader can remove it; until then, the search fails with an error that names it.
    """
    first = dict(steers)
    with st.expander("Features"):
        if corpus.features is None:
            st.caption(with_options(corpus.absent["features"]))
        names = [str(feature.name) for feature in corpus.features.named_features] if corpus.features else []
        options = list(dict.fromkeys((*names, *first)))
        if not options:
            return ()
        steered_features = st.multiselect(
            LABEL,
            options,
            standing(_STEERS, [*first]),
            key=_STEERS,
            help=HELP,
            placeholder=f"{len(names)} features",
        )
        return tuple((feature, _slider(feature, first.get(feature, FIRST_STRENGTH))) for feature in steered_features)


def _slider(feature: str, strength: float) -> float:
    key = slider_key(feature)
    value = st.slider(
        for_markdown(feature),
        -1.0,
        1.0,
        standing(key, strength),
        STEP,
        key=key,
        help="Left of 0: less. Right of 0: more.",
    )
    return round(value, 2)
