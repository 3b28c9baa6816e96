"""What the papers of the open library have and lack, field by field, with a button that fetches what is missing."""

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
_NOT_ALLOWED = "Whoever runs this page can let visitors complete it with `PATHFINDER_VISITORS_MAY=sources`."
_TITLES = {"identifiers": "DOI or arXiv id", "date": "Full date", "citation_count": "Citation count with its day"}


def panel(pf: Pathfinder, may: Permissions, home: Path) -> None:
    """Show how many papers have each field, from whom and since when, and offer to fetch the rest; before hosts are
    asked for the first time, the visitor must agree. Raises `UsageError` if something is being built.
    """
    folder, fields = pf.corpus.folder, st.container(gap="xsmall")
    is_allowed = may.may_change(folder) and may.may("sources")
    agrees = is_allowed and (last_asked(folder) is not None or st.checkbox(_CONSENT, key="complete-consent"))
    steps: tuple[str, ...] = ()
    if not is_allowed:
        st.caption(_NOT_OWN if may.may("sources") else _NOT_ALLOWED)
    elif st.button(
        "Complete this library", key="complete", type="primary", icon=":material/download:", disabled=not agrees
    ):
        steps = STEPS
    for name, coverage in _completeness(pf, last_asked(folder)).items():
        with fields.container(horizontal=True, vertical_alignment="bottom"):
            n_all = coverage.n_papers + coverage.none + coverage.not_asked
            st.progress(coverage.n_papers / max(n_all, 1), _text(name, coverage, n_all))
            if coverage.not_asked and is_allowed and st.button("Fill", key=f"complete-{name}", disabled=not agrees):
                steps = ("texts" if name == FULL_TEXT else "records",)
    if steps:
        order = Order(OrderKind.COMPLETE, folder, steps=steps)
        works.begin(order, home, visit_keys.environment(may, folder))
        st.rerun()


def _text(name: str, coverage: FieldCoverage, n_all: int) -> str:
    """Say how many papers have a field, from whom and since when, and why the others have not."""
    title = _TITLES.get(name, name.replace("_", " ").capitalize())
    sources = ", ".join(source for source in coverage.by_source)
    since = f", {coverage.since:%d %B %Y}" if coverage.since else ""
    why = {"no host has it": coverage.none, "not asked yet": coverage.not_asked}
    notes = [f"from {for_markdown(sources)}{since}"] if sources else []
    notes += [f"{reason}: {n:,}" for reason, n in why.items() if n]
    return f"**{title}** {coverage.n_papers:,} of {n_all:,} :gray[{' · '.join(notes)}]"


@st.cache_data(show_spinner="Counting what the papers have ...", max_entries=4, hash_funcs=BY_CORPUS)
def _completeness(pf: Pathfinder, after: int | None) -> dict[str, FieldCoverage]:  # noqa: ARG001  part of the key
    return completeness(pf.corpus)
