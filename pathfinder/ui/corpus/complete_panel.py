"""What the papers of the open corpus have and lack, field by field, with a button that fetches what is missing."""

from pathlib import Path

import streamlit as st

from pathfinder.building.child.orders import Order, OrderKind
from pathfinder.building.filling import STEPS
from pathfinder.building.ledger import FULL_TEXT, FieldCoverage, completeness, last_asked
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.corpus import visit_keys, works
from pathfinder.ui.corpus.permissions import Permissions
from pathfinder.ui.map.map_cache import BY_CORPUS

_CONSENT = (
    "Ask OpenAlex, arXiv and Crossref (and Semantic Scholar, if you have a key) about these papers: they receive their "
    "DOIs, arXiv ids, or titles with years and first authors, and nothing else. Open full texts are fetched from arXiv "
    "and the addresses that OpenAlex knows, each with its licence, and the list of retracted papers from Crossref."
)
_NOT_OWN = "Only its owner can complete this library."
_NOT_ALLOWED = (
    "Others can reach this page, so it fetches nothing. Whoever runs it can allow this with "
    "`PATHFINDER_VISITORS_MAY=sources`."
)


def panel(pf: Pathfinder, may: Permissions, home: Path) -> None:
    """Show how many papers have each field, and from whom, and offer to fetch the rest; before hosts are asked for the
    first time, the visitor must agree. Raises `UsageError` if something is being built.
    """
    st.subheader("What the papers have", anchor="complete")
    folder = pf.corpus.folder
    is_allowed = may.may_change(folder) and may.may("sources")
    if not is_allowed:
        st.info(_NOT_OWN if may.may("sources") else _NOT_ALLOWED)
    agrees = is_allowed and (last_asked(folder) is not None or st.checkbox(_CONSENT, key="complete-consent"))
    steps: tuple[str, ...] = ()
    for name, coverage in _completeness(pf, last_asked(folder)).items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(_text(name, coverage), width="stretch")
            step = "texts" if name == FULL_TEXT else "records"
            if coverage.not_asked and is_allowed and st.button("Fetch", key=f"complete-{name}", disabled=not agrees):
                steps = (step,)
    if is_allowed and st.button(
        "Fetch all that is missing", key="complete", type="primary", icon=":material/download:", disabled=not agrees
    ):
        steps = STEPS
    if steps:
        order = Order(OrderKind.COMPLETE, folder, steps=steps)
        works.begin(order, home, visit_keys.environment(may, folder))
        st.rerun()


def _text(name: str, coverage: FieldCoverage) -> str:
    sources = ", ".join(f"{source} {n:,}" for source, n in coverage.by_source.items())
    why = {"no host has it": coverage.none, "not asked yet": coverage.not_asked}
    lacking = "".join(f" · {reason}: {n:,}" for reason, n in why.items() if n)
    return for_markdown(f"{name.replace('_', ' ').capitalize()}: {coverage.n_papers:,}") + (
        f" ({for_markdown(sources)}){lacking}" if sources else lacking
    )


@st.cache_data(show_spinner="Counting what the papers have ...", max_entries=4, hash_funcs=BY_CORPUS)
def _completeness(pf: Pathfinder, after: int | None) -> dict[str, FieldCoverage]:  # noqa: ARG001  part of the key
    return completeness(pf.corpus)
