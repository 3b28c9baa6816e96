"""The form for a new corpus: files or sources, a preview, a name, its field, a thesaurus, the form of its tokens."""

import datetime
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import BoundedSemaphore
from time import monotonic
from typing import Any

import streamlit as st

from pathfinder.building.ledger import last_asked
from pathfinder.errors import UsageError
from pathfinder.index.token_codecs import TokenForm
from pathfinder.operations.child.orders import PREVIEW, Child, Order, OrderState
from pathfinder.operations.export.plain_json import JsonObject, as_json
from pathfinder.profile import parse_profile
from pathfinder.settings import Permission, read_settings
from pathfinder.sources import Window
from pathfinder.sources.published_lists import LICENCE, TITLE, UAT, VERSION
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.ui.corpus import permissions, uploads, works
from pathfinder.ui.corpus.complete_panel import CONSENT, PDF, RECOGNISED
from pathfinder.ui.corpus.progress_panel import in_plain_names
from pathfinder.ui.shared import visit_corpus, visitors
from pathfinder.ui.shared.resources import is_in_ads
from pathfinder.ui.shared.state import kept

_PERMISSIONS: dict[str, Permission] = {"Files": "files", "Sources": "sources"}
"""Permission that a visitor needs for each origin of papers."""
USUAL_PAPERS = 1000
"""Default number of papers read from each source: enough to try out a source."""
NOT_ALLOWED = "Others can reach this page, so only whoever runs it can build libraries here."


def panel(may: permissions.Permissions, home: Path, open_corpus: Path | None) -> None:
    """Draw the form, and begin the build once it is requested. Raises `UsageError` for what cannot be built."""
    if not may.may_build:
        st.caption(NOT_ALLOWED, help=permissions.allowed_by("files,sources,update"))
        return
    st.header("Add papers", anchor=False)
    with st.container(horizontal=True, gap="medium", key="new-papers"):
        target: Path | None = None
        if open_corpus is not None and may.may_change(open_corpus):  # its papers may also be added to the open library
            labels = {None: "A new library", open_corpus: f"Part of {for_markdown(open_corpus.name)}"}
            target = st.radio(
                "They become", [*labels], format_func=labels.get, key="new-place", horizontal=True, width="content"
            )
        origins = [origin for origin, permission in _PERMISSIONS.items() if may.may(permission)]
        origin = origins[0]
        if len(origins) > 1:
            origin = st.radio("From", origins, horizontal=True, key="new-origin", width="content")
    order, proposal = _files(may, home) if origin == "Files" else _sources(may)
    if order is None:
        return
    if order.names:
        _build(order, proposal, may, home, target)
    else:
        first_papers, form = preview(order, permissions.environment(may)), st.container()  # the form is within sight
        for beginning in first_papers:
            _source(order, beginning)
        if any(beginning["papers"] for beginning in first_papers):
            build = replace(order, work="build", options=order.options | {"open_early": True})
            with form:
                _build(build, proposal, may, home, target)


def demo(may: permissions.Permissions, home: Path) -> None:
    """Draw the button that builds the demo, whose papers a checkout has in `data/` and the wheel brings along."""
    folders = Path(__file__).parents[3] / "data", Path(sysconfig.get_path("data")) / "share" / "pathfinder"
    papers = next((each for folder in folders if (each := folder / "landmarks.jsonl").is_file()), None)
    folder, label = home / "landmarks", "Build the demo: landmark papers of astronomy"
    if not may.is_owner or papers is None or folder.exists():
        return
    if st.button(label, type="primary", icon=":material/construction:"):
        order = Order("build", folder, {"sources": [str(papers)], "open_early": True})
        works.begin(order, home, permissions.environment(may))


def _files(may: permissions.Permissions, home: Path) -> tuple[Order | None, str]:
    key = uploads.key("new-files")
    label = "Exports of Zotero, EndNote and others, as BibTeX, RIS, CSL JSON or CSV; or PDFs of papers"
    files = st.file_uploader(label, accept_multiple_files=True, key=key, max_upload_size=uploads.MAX_FILE_MB)
    if not files:
        st.caption(
            f"In Zotero: File, Export Library, BibTeX. At most {uploads.MAX_FILES} files, {uploads.MAX_TOTAL_MB} MB in "
            "all. A Parquet file may include the vectors of its papers."
        )
        return None, ""
    proposal, are_pdfs = Path(files[0].name).name.partition(".")[0], {file.name.lower().endswith(PDF) for file in files}
    if are_pdfs == {True} and may.may("sources"):
        paths = uploads.paths_of("papers", files, home, (PDF,))
        names = tuple(Path(file.name).name for file in files)
        return Order("build", options={"sources": [*map(str, paths)]}, names=names), "my-papers"
    if True in are_pdfs and not may.may("sources"):
        raise UsageError(
            "PDFs are looked up at other hosts, which visitors of this page may not ask: drop a list of papers"
        )
    if are_pdfs == {True, False}:
        raise UsageError("PDFs and lists of papers are read in different ways: drop the PDFs by themselves")
    paths = uploads.paths_of("papers", files, home)
    window = may.limit(Window())
    order = Order(PREVIEW, options={"sources": [*map(str, paths)], "max_papers": window.max_papers})
    order = with_vectors(order) if may.is_owner else order
    return order, proposal


def _sources(may: permissions.Permissions) -> tuple[Order | None, str]:
    with st.expander("Examples of sources"):
        for kind in may.kinds():
            needs = f" Needs {kind.key}." if kind.needs_key and kind.key else ""
            st.markdown(
                f"**{for_markdown(kind.label)}**: `{kind.examples[0]}`  \n"
                f"{for_markdown(f'Gives {kind.gives}.{needs} Terms: {kind.terms}')}"
            )
    with st.form("new-sources", border=False):
        text = st.text_area("Sources, one per line", key=uploads.key("new-typed"), height=100, help=KIND_HELP)
        first, last, most = st.columns(3)
        since = first.date_input("From", None, min_value=_FIRST_DAY, key="new-since")
        until = last.date_input("Until", None, min_value=_FIRST_DAY, key="new-until")
        max_papers = most.number_input("Maximum from each source", 1, None, USUAL_PAPERS, key="new-max")
        permissions.fields(may, text.splitlines(), "new")
        is_sent = st.form_submit_button("Preview")
    sources = [line.strip() for line in text.splitlines() if line.strip()]
    if not sources:
        if is_sent:
            raise UsageError("no source was given: type one, such as arxiv:cat:astro-ph.GA")
        return None, ""
    may.check(sources)
    window = may.limit(Window(since, until, max_papers))
    order = Order(PREVIEW, options={"sources": sources, **as_json(window)})
    return order, Path(sources[0]).name.partition(".")[0] if uploads.is_path(sources[0]) else sources[0]


_FIRST_DAY = datetime.date(1600, 1, 1)


def _build(order: Order, proposal: str, may: permissions.Permissions, home: Path, target: Path | None) -> None:
    """Draw the name of a new corpus (without a `target`), choices and button; begin the build at a click."""
    beginning = st.container(horizontal=True, vertical_alignment="bottom")  # above choices that few need
    if target is None:
        name = uploads.plain_name(proposal) or "my-library"
        free = next(each for n in count(1) if not (home / (each := name if n == 1 else f"{name}-{n}")).exists())
        name_field = beginning.text_input("Name", free, key=f"new-name-{order.files[0]}")
    choice: Order | None = order
    if not order.names:
        with st.expander("Field, thesaurus and space per paper", key=uploads.key("new-choices")):
            choice = choices(order, may, home, "new", is_new=target is None)
    purpose = RECOGNISED if order.names else "Then fetch what these papers lack."
    has_agreed = target is not None and last_asked(target) is not None
    completes = may.may("sources") and st.checkbox(f"{purpose} {CONSENT}", has_agreed, key=f"new-complete-{target}")
    is_ready = choice is not None and (completes or not order.names)
    is_sent = beginning.button(
        "Build", key="new-build", type="primary", icon=":material/construction:", disabled=not is_ready
    )
    if not is_sent or choice is None:
        return
    works.check_free()
    if not may.is_owner:
        visitors.check_space(home, read_settings().visitors_max_gb)  # adding papers takes up space, too
    folder = target or _new_folder(name_field.strip(), home, may)
    whole = replace(choice, folder=folder, options=choice.options | {"complete": completes})
    if not order.names:
        whole = keep_files(whole, home)
    works.begin(whole, home, permissions.environment(may), empties=True)


def _new_folder(name: str, home: Path, may: permissions.Permissions) -> Path:
    """Return the folder of a new corpus; a visitor's corpus gets an unused name that nobody can guess."""
    folder = home / works.check_name(name)
    if not may.is_owner:
        return visit_corpus.new_place(name)
    if folder.exists():
        raise UsageError(
            f"there is a library called {name} in {home}: choose another name, or open that library and add to it"
        )
    return folder


# A preview of sources before a corpus is built from them.

PREVIEW_SECONDS = 60.0
"""Maximum time in seconds for a preview, most of which may be spent waiting for a host."""
MAX_AT_ONCE = 2
_TURNS = BoundedSemaphore(MAX_AT_ONCE)
_MOST_AUTHORS, _MOST_REJECTED = 3, 100
_POLL_SECONDS = 0.2
_LAST = "visit-preview"


def preview(order: Order, keys: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """Return the first records of the sources in `order`. They are read in a separate process. If this visitor's last
    preview was of the same order, it is returned again.

    Raises `UsageError` if they cannot be read, or do not arrive in time.
    """
    return kept(_LAST, order, lambda: _read(order, keys))


def _read(order: Order, keys: Mapping[str, str] | None) -> list[dict[str, Any]]:
    with st.spinner("Reading the first records ..."), _TURNS:
        child = Child(order, keys=keys)
        place, start = st.empty(), monotonic()
        try:
            while not child.wait(_POLL_SECONDS) and monotonic() - start < PREVIEW_SECONDS:
                place.empty()  # Streamlit ends this run here if the visitor has changed anything
        finally:
            child.stop()
    if child.state is OrderState.STOPPED:
        raise UsageError(
            f"the first records did not arrive within {PREVIEW_SECONDS:.0f} s: try again later, or build without a "
            "preview from the command line"
        )
    if child.state is OrderState.FAILED:
        raise UsageError(in_plain_names(child.error, order))
    previews: list[dict[str, Any]] = (child.result or {}).get("sources", [])
    return previews


def _source(order: Order, beginning: dict[str, Any]) -> None:
    """Show the first papers of a source and its rejected rows."""
    papers, rejected_rows = beginning["papers"], beginning["rejected"]
    name = for_markdown(in_plain_names(beginning["source"], order))
    extent = (
        f"{counted(beginning['n_rows'], 'record')} in all" if beginning["is_whole"] else "more records than shown here"
    )
    first = (
        f"; the first {len(papers)} papers" if papers and len(papers) + len(rejected_rows) < beginning["n_rows"] else ""
    )
    n = beginning["n_duplicates"]
    twice = f", {n:,} {'repeats' if n == 1 else 'repeat'} an earlier paper" if n else ""
    st.markdown(f"**{name}**: {extent}, {len(rejected_rows):,} rejected{twice}{first}")
    for note in beginning["notes"]:
        st.caption(for_markdown(note))
    if papers:
        rows, narrow = list(map(_paper, papers)), st.column_config.TextColumn(width="medium")
        widths = dict.fromkeys(("Authors", "Journal"), narrow)  # with the last column in view
        st.dataframe(rows, hide_index=True, column_config=widths, alt=f"The first {len(papers)} papers")
    elif rejected_rows:
        st.warning("None of the records is a paper.")
    if rejected_rows:
        rows = [{"Line": row["line"], "Reason": row["reason"]} for row in rejected_rows[:_MOST_REJECTED]]
        with st.expander(f"Rejected: {len(rejected_rows):,}", expanded=not papers):
            st.dataframe(rows, hide_index=True, alt=f"{len(rows)} rejected rows, with the reasons")


def _paper(paper: dict[str, Any]) -> dict[str, Any]:
    authors = [readable(name) for name in paper["authors"] or ()]
    more = " et al." if len(authors) > _MOST_AUTHORS else ""
    return {
        "Year": paper["year"],
        "Title": readable(paper["title"]),
        "Authors": "; ".join(authors[:_MOST_AUTHORS]) + more,
        "Journal": readable(paper["journal"] or ""),
        "Abstract": paper["has_abstract"],
    }


# Choices for a build besides its papers: the profile of the field, a thesaurus, and the form of the tokens.

KEEP, FILE = "keep", "file"
_THESAURUS_ENDINGS = tuple(
    f"{plain}{suffix}" for plain in (".rdf", ".xml", ".jsonld", ".json", ".jsonl") for suffix in ("", ".gz")
)
_PROFILE_ENDINGS = (".toml",)
_PROFILE_HELP = (
    "Everything that is true only of one field: its examples, names, quantities and services. docs/profiles.md "
    "explains how to write one."
)
_THESAURUS_HELP = (
    "Synonyms and topics of a field: synonyms widen searches on request, and topics are layers of the map."
)
_VECTORS_HELP = (
    "The vectors are checked and used as they are, and nothing is embedded. Without a column, papers are embedded."
)
_MODEL = "openai:text-embedding-3-small"
_TOKENS_HELP = (
    "The local reranker reads token vectors, which take up most of the space per paper. This choice cannot "
    "be changed later. With small tokens, nDCG@10, which is 1 if the best papers all come first, changes by −0.012 on "
    "cisi, −0.007 on scifact, −0.004 on scholarqa_multi_closed, 0.000 on astro_single_paper and +0.008 on cacm."
)
COSTS: dict[TokenForm, str] = {
    "full": "15.9 kB per paper, in addition to its text and its share of the map",
    "small": (
        "4.0 kB per paper. In some fields the best papers stand a little lower, a search takes a third more time, and "
        "an answer has fewer lines."
    ),
}
"""Space that a paper takes up with each form of tokens, and the cost in quality (see Bytes in benchmarks/SCALE.md)."""


def choices(order: Order, may: permissions.Permissions, home: Path, place: str, *, is_new: bool) -> Order | None:
    """Draw the fields, and return `order` with the choices made; `None` while a file is missing.

    `place` is the prefix of the fields' keys; `is_new` is true for a new corpus, which has nothing to keep.

    Only someone at this machine can supply a profile: its patterns run in this process, and a hostile
    pattern could block it. Raises `CorpusError` for a broken profile.
    """
    thesaurus = _thesaurus(may, home, place, is_new=is_new)
    profile = _profile(home, place, is_new=is_new) if may.is_owner else KEEP
    tokens = None
    if is_new:
        key, labels = uploads.key(f"{place}-tokens"), {form: f"{form.capitalize()} tokens" for form in COSTS}
        look: dict[str, Any] = {"format_func": labels.__getitem__, "captions": [*COSTS.values()], "help": _TOKENS_HELP}
        tokens = st.radio("Space per paper", [*COSTS], key=key, **look)
    if FILE in (thesaurus, profile):
        st.caption("Drop the file here to continue.")
        return None
    chosen = {
        "thesaurus": None if thesaurus == KEEP else thesaurus,
        "profile": None if profile == KEEP else profile,
        "tokens": tokens,
    }
    return replace(order, options=order.options | chosen)


def with_vectors(order: Order) -> Order:
    """Draw the fields for vectors that come with the papers, if all files are Parquet, and return `order` with them.

    Raises `UsageError` if a column is given without the model that made its vectors.
    """
    if not all(path.endswith(".parquet") for path in order.options["sources"]):
        return order
    left, right = st.columns(2)
    column = left.text_input("Column with vectors, if any", key=uploads.key("new-vectors"), help=_VECTORS_HELP).strip()
    embedder = right.text_input(
        "Model that made the vectors", key=uploads.key("new-embedder"), placeholder=_MODEL
    ).strip()
    if not column:
        return order
    if not embedder:
        raise UsageError(
            f"the vectors in {column!r} need the model that made them, because questions are embedded with it: "
            f"name it, for example {_MODEL}"
        )
    return replace(order, options=order.options | {"vectors": column, "embedder": embedder})


def keep_files(order: Order, home: Path) -> Order:
    """Return `order` with its uploaded files moved to where a resumed build and later updates will find them."""

    def move(paths: Sequence[str]) -> list[str]:
        if not any(uploads.UPLOADS in Path(path).parts for path in paths):
            return [*paths]
        return [*map(str, uploads.keep([Path(path) for path in paths], home, order.folder))]

    moved: JsonObject = {"sources": move(order.options.get("sources", ()))}
    moved |= {name: move([path])[0] for name in ("profile", "thesaurus") if (path := order.options.get(name))}
    return replace(order, options=order.options | moved)


def _thesaurus(may: permissions.Permissions, home: Path, place: str, *, is_new: bool) -> str:
    """Draw the choice of a thesaurus, and return `KEEP`, `UAT` or the path of a file; `FILE` until one is supplied."""
    names = {KEEP: "None" if is_new else "As it is"}
    names |= {UAT: f"{TITLE} {VERSION}"} if may.may("sources") and (is_new or is_in_ads()) else {}
    names |= {FILE: "From a file"} if may.may("files") else {}
    key = uploads.key(f"{place}-thesaurus")
    choice = st.selectbox("Thesaurus", list(names), key=key, format_func=names.__getitem__, help=_THESAURUS_HELP)
    if choice == UAT:
        st.caption(f"Fetched once from its authors. {LICENCE}: if you share the library, do so under the same terms.")
    return (
        _file(f"{place}-thesaurus", "SKOS (RDF/XML, JSON-LD) or JSON", _THESAURUS_ENDINGS, home)
        if choice == FILE
        else choice
    )


def _profile(home: Path, place: str, *, is_new: bool) -> str:
    """Draw the choice of a profile, and return `KEEP` or the path of a file; `FILE` until a file is supplied."""
    names = {KEEP: "Astronomy" if is_new else "As it is", FILE: "From a file (profile.toml)"}
    key = uploads.key(f"{place}-profile")
    if st.selectbox("Field", list(names), key=key, format_func=names.__getitem__, help=_PROFILE_HELP) == KEEP:
        return KEEP
    path = _file(f"{place}-profile", "The profile of the field, as TOML", _PROFILE_ENDINGS, home)
    if path != FILE:
        profile = parse_profile(Path(path).read_bytes(), Path(path).name)
        st.caption(for_markdown(f"{profile.name}: {profile.title}, with {len(profile.examples)} examples."))
    return path


def _file(name: str, label: str, endings: tuple[str, ...], home: Path) -> str:
    """Draw the field for a file, and return the path where it was stored; `FILE` until one is supplied."""
    types = [ending.removeprefix(".") for ending in endings]
    file = st.file_uploader(label, types, key=uploads.key(f"{name}-file"), max_upload_size=uploads.MAX_FILE_MB)
    return FILE if file is None else str(uploads.paths_of(name, [file], home, endings)[0])


# The kinds of sources, as explained in the form, and the kind of a source in a manifest.

KIND_HELP = "SCHEME:QUERY, as on the command line, such as arxiv:cat:astro-ph.GA"
