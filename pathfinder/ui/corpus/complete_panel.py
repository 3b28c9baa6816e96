"""What the papers of the open library have and lack, with buttons that fetch what is missing, and that add the papers
of PDFs and of the Zotero on this machine.
"""

from pathlib import Path

import streamlit as st

from pathfinder.building.filling import STEPS
from pathfinder.building.ledger import FULL_TEXT, FieldCoverage, completeness, last_asked
from pathfinder.errors import UsageError
from pathfinder.export.plain_json import JsonObject
from pathfinder.operations.child.orders import Order, OrderState
from pathfinder.session import Pathfinder
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.corpus import uploads, visit_keys, works
from pathfinder.ui.corpus.permissions import Permissions
from pathfinder.ui.map.map_cache import BY_CORPUS

_CONSENT = (
    "Ask OpenAlex, arXiv and Crossref (and Semantic Scholar, if you have a key) about these papers: they receive their "
    "DOIs, arXiv ids, or titles with years and first authors, and nothing else. Open full texts are fetched from arXiv "
    "and the addresses that OpenAlex knows, each with its licence, and the list of retracted papers from Crossref."
)
_NOT_OWN = "Only its owner can complete this library."
_NOT_ALLOWED = "Whoever runs this page can let visitors complete it with PATHFINDER_VISITORS_MAY=sources."
_TITLES = {"identifiers": "DOI or arXiv id", "date": "Full date", "citation_count": "Citation count with its day"}


def panel(pf: Pathfinder, may: Permissions, home: Path) -> None:
    """Show how many papers have each field, from whom and since when, and offer to fetch the rest, and to add papers;
    before hosts are asked for the first time, the visitor must agree. Raises `UsageError` if something is being built,
    or if a folder cannot be found.
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
            n_all = coverage.n_papers + coverage.none + coverage.unavailable + coverage.not_asked
            st.progress(coverage.n_papers / max(n_all, 1), _text(name, coverage, n_all))
            if coverage.not_asked and is_allowed and st.button("Fill", key=f"complete-{name}", disabled=not agrees):
                steps = ("texts" if name == FULL_TEXT else "records",)
    own = _own_files(may, home, agrees=agrees) if is_allowed else {}
    if steps or own:
        order = Order("complete", folder, {"only": [*(steps or STEPS)], **own})
        works.begin(order, home, visit_keys.environment(may, folder))
        if own:
            uploads.begin_afresh()
        st.rerun()
    _not_recognised(folder, may)


def _own_files(may: Permissions, home: Path, *, agrees: bool) -> JsonObject:
    """Offer to add the papers of PDFs and, on the visitor's own machine, of a folder and of Zotero; return options of
    `complete` once the visitor says so.
    """
    with st.expander("Add the papers of PDFs or of Zotero" if may.is_owner else "Add the papers of PDFs"):
        st.caption(
            "A PDF is recognised by the DOI or arXiv id on its first page, or by its title; its record comes from a "
            "host, and its text is stored. Papers that are here already are not added twice."
        )
        files = st.file_uploader(
            "PDFs",
            type="pdf",
            accept_multiple_files=True,
            key=uploads.key("complete"),
            max_upload_size=uploads.MAX_FILE_MB,
            help=f"At most {uploads.MAX_FILES} files and {uploads.MAX_TOTAL_MB} MB.",
        )
        place = ""
        if may.is_owner:
            place = st.text_input("Or a folder of PDFs on this machine", key=uploads.key("complete-folder")).strip()
        has_any = bool(files or place)
        is_wanted = st.button("Add the papers of the PDFs", key="complete-files", disabled=not (agrees and has_any))
        if may.is_owner and st.button(
            "Add my Zotero library",
            key="complete-zotero",
            disabled=not agrees,
            help="Zotero 7 or newer has to run, with *Allow other applications on this computer* switched on. Its "
            "collections become shelves, its attached files full texts.",
        ):
            return {"zotero": True}
    if not is_wanted:
        return {}
    works.check_free()
    folder = Path(place).expanduser()
    if place and not (folder.is_absolute() and folder.exists()):
        raise UsageError(f"{place!r} is no folder on this machine: give its whole path, beginning with / or ~")
    stored = uploads.paths_of("complete", files, home, (".pdf",)) if files else ()
    return {"files": [*map(str, (*stored, *([folder] if place else ())))]}


def _not_recognised(folder: Path, may: Permissions) -> None:
    """List the files of the last run that were not recognised, with their first lines and the reason, and the
    collections of Zotero that did not become shelves.
    """
    child = works.all_works(is_owner=may.is_owner).get(folder)
    if child is None or child.state is not OrderState.COMPLETE:
        return
    result = child.result or {}
    files, refused = result.get("files", ()), result.get("refused", {})
    if rest := [each for each in files if each.get("why")]:
        st.markdown(f"**{len(rest)} of {len(files)} files were not added**")
    for each in rest:
        lines = "".join(f"\n  - {for_markdown(line)}" for line in each.get("first_lines", ()))
        st.markdown(f"- {for_markdown(Path(each['file']).name)}: {for_markdown(each['why'])}{lines}")
    if refused:
        st.markdown("**Collections of Zotero that did not become shelves**")
    for name, why in refused.items():
        st.markdown(f"- {for_markdown(name)}: {for_markdown(why)}")


def _text(name: str, coverage: FieldCoverage, n_all: int) -> str:
    """Say how many papers have a field, from whom and since when, and why the others have not."""
    title = _TITLES.get(name, name.replace("_", " ").capitalize())
    sources = ", ".join(source for source in coverage.by_source)
    since = f", {coverage.since:%d %B %Y}" if coverage.since else ""
    why = {
        "no host has it": coverage.none,
        "could not be had": coverage.unavailable,
        "not asked yet": coverage.not_asked,
    }
    notes = [f"from {for_markdown(sources)}{since}"] if sources else []
    notes += [f"{reason}: {n:,}" for reason, n in why.items() if n]
    return f"**{title}** {coverage.n_papers:,} of {n_all:,} :gray[{' · '.join(notes)}]"


@st.cache_data(show_spinner="Counting what the papers have ...", max_entries=4, hash_funcs=BY_CORPUS)
def _completeness(pf: Pathfinder, after: int | None) -> dict[str, FieldCoverage]:  # noqa: ARG001  part of the key
    return completeness(pf.corpus)
