"""Upkeep of the open corpus: an update from its sources, its earlier version, papers to remove, merges to review, and
full texts to add and to remove.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from pathfinder.building.read_sources import drop_sources, move_source
from pathfinder.corpus.history.merges import Merge, read_merges
from pathfinder.corpus.manifest import SourceEntry, earlier_version
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.fulltext.adding import SUFFIXES
from pathfinder.operations.child.orders import Order
from pathfinder.settings import LOCAL_EMBEDDER
from pathfinder.sources.published_lists import CROSSREF
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.ui.corpus import new_panel, permissions, uploads, works
from pathfinder.ui.corpus.overview import size_text, source_name

NOT_ALLOWED = "Others can reach this page, so only whoever runs it can update its libraries."
_MOST_MERGES = 1000
_RETRACTIONS_HELP = (
    "Fetches Retraction Watch's list, which Crossref publishes, and marks the papers on it, by DOI or PubMed id."
)
_NEW_MAP_HELP = "Every paper gets a new place, and links to places on the old map become meaningless."


def update_panel(pf: Pathfinder, may: permissions.Permissions, home: Path) -> None:
    """Offer to update the open corpus. Raises `UsageError` if something is being built."""
    st.markdown(
        "An update reads the sources again: it adds new papers, applies changes, and marks withdrawn and retracted "
        "papers. Papers keep their places on the map, and none is removed."
    )
    folder, sources = pf.corpus.folder, pf.corpus.manifest.sources
    if not (may.may_change(folder) or may.may("update")):
        st.caption(NOT_ALLOWED, help=permissions.allowed_by("update"))
        return
    if not sources:
        st.info("This library does not list its sources, so there is nothing to read again: add papers to it above.")
        return
    days = [entry.retrieved for entry in sources if entry.retrieved]
    if days:
        st.caption(f"{counted(len(sources), 'source')}, last read on {max(days)}.")
    if may.may_change(folder):
        permissions.fields(may, [entry.source for entry in sources], "update")
    with st.form("update", border=False, clear_on_submit=True):
        new_map = may.may_change(folder) and st.toggle("New map", key="update-new-map", help=_NEW_MAP_HELP)
        label, key = "Look for retractions", "update-retractions"
        retractions = may.may("sources") and st.toggle(label, key=key, help=_RETRACTIONS_HELP)
        is_sent = st.form_submit_button("Update", key="update", type="primary", icon=":material/sync:")
    if is_sent:
        options = {"new_map": new_map, "retractions": CROSSREF if retractions else None}
        works.begin(Order("update", folder, options), home, permissions.environment(may, folder))
    if may.may_change(folder):
        _change_sources(folder, sources, may)


def more_panel(pf: Pathfinder, may: permissions.Permissions, home: Path) -> None:
    """Offer to change the field of the open corpus, to go back to its earlier version, and to remove papers.

    Raises `UsageError` if something is being built.
    """
    if not may.may_change(pf.corpus.folder):
        return
    st.header("Field and thesaurus", anchor="field")
    choice = new_panel.choices(Order("build", pf.corpus.folder), may, home, "open", is_new=False)
    is_empty = choice is None or not choice.files
    if st.button("Apply", key="apply", icon=":material/tune:", disabled=is_empty) and choice is not None:
        works.check_free()
        works.begin(new_panel.keep_files(choice, home), home, permissions.environment(may), empties=True)
    folder, manifest = pf.corpus.folder, pf.corpus.manifest
    if manifest.embedder != LOCAL_EMBEDDER:
        st.header("Embed again", anchor="embed-again")
        st.markdown(
            f"The papers were embedded with {for_markdown(manifest.embedder)}. The local embedder needs no key: all "
            "papers are embedded again with it, and everything that depends on vectors is recomputed, including the "
            "map. No source is read."
        )
        if st.button("Embed again", key="re-embed", icon=":material/autorenew:"):
            works.begin(Order("update", folder, {"re_embed": True}), home, {})
    if (earlier := earlier_version(folder, manifest)) is not None:
        st.header("Go back", anchor="back")
        st.markdown(
            f"The version before the last change has {earlier.n_papers:,} papers and takes up "
            f"{size_text(earlier.n_bytes)} on disk. Going back twice returns to the current version."
        )
        if st.button("Go back", key="rollback", icon=":material/undo:"):
            works.begin(Order("rollback", folder), home, {})
    _remove(pf, home)


def _change_sources(folder: Path, sources: Sequence[SourceEntry], may: permissions.Permissions) -> None:
    """Let the visitor drop a source or, on their own machine, give the new location of a file or folder.

    Raises `UsageError` if something is being built, or if the new location cannot be used.
    """
    names = {entry.source: source_name(entry.source, is_owner=may.is_owner) for entry in sources if not entry.dropped}
    moving = [source for source in names if may.is_owner and uploads.is_path(source) and not uploads.is_upload(source)]
    if not names:
        st.caption("All sources have been dropped. To add one again, build from it above.")
        return
    with st.expander("Drop or move a source"):
        source = st.selectbox("Source", list(names), None, key="change-source", format_func=names.__getitem__)
        new = ""
        if source in moving:
            new = st.text_input("New location of the file or folder", key="move-to", placeholder="/home/me/library.bib")
        drop, move = st.columns(2)
        tip = "From now on, updates skip this source; its papers stay."
        is_dropped = drop.button("Drop from updates", key="drop-source", disabled=source is None, help=tip)
        is_moved = bool(moving) and move.button("Use the new location", key="move-source", disabled=not new.strip())
    if source is None or not (is_dropped or is_moved):
        return
    works.check_free()
    if is_dropped:
        drop_sources(folder, [source])
    else:
        path = Path(new.strip()).expanduser()
        if not path.is_absolute():
            raise UsageError(f"{new.strip()!r} is not an absolute path: begin it with / or ~")
        move_source(folder, source, path)
    st.rerun()


def _remove(pf: Pathfinder, home: Path) -> None:
    st.header("Remove papers", anchor="remove")
    with st.form("remove", border=False, clear_on_submit=True):
        tip = "Each as the column id of a CSV of papers names it."
        text = st.text_area("Papers to remove, one per line", key="remove-ids", height=80, help=tip)
        tip = "No trace of the papers is then left in the library, and this cannot be undone."
        purges = st.toggle("Delete the earlier version too", key="remove-purge", help=tip)
        is_sent = st.form_submit_button("Remove", icon=":material/delete:")
    paper_ids = [line.strip() for line in text.splitlines() if line.strip()]
    if not is_sent:
        return
    if not paper_ids:
        raise UsageError("no paper was named: type the ids shown on the papers' cards and in downloads")
    works.begin(Order("remove", pf.corpus.folder, {"paper_ids": paper_ids, "purge": purges}), home, {})


def merges_panel(pf: Pathfinder, may: permissions.Permissions, home: Path) -> None:
    """List the merges of the open corpus, and offer to undo each. Raises `UsageError` if something is being built."""
    merges = sorted(read_merges(pf.corpus.folder), key=lambda merge: not merge.conflicts)  # those to review first
    st.header(f"Merges: {len(merges):,}", anchor="merges")
    st.markdown(
        "Records of the same paper from several sources are merged into one. Each merge is listed here with its "
        "reason, and with the fields on which the records disagree, so that you can review it."
    )
    if not merges:
        st.caption("No records were merged in this library.")
        return
    rows = [
        {
            "Title of the record": readable(merge.title),
            "Conflicts": "; ".join(f"{c.field}: {readable(c.value)} | {readable(c.other)}" for c in merge.conflicts),
            "Reason": merge.reason,
            "Id of the record": merge.merged_id,
            "Merged into": merge.paper_id,
            "Found by": merge.ground,
            "Source": Path(merge.source).name if "/" in merge.source else merge.source,
            "Line": merge.line,
        }
        for merge in merges[:_MOST_MERGES]
    ]
    widths = dict.fromkeys(("Title of the record", "Conflicts"), st.column_config.TextColumn(width="medium"))
    st.dataframe(rows, hide_index=True, column_config=widths, alt=f"{len(rows)} merges")
    if len(merges) > len(rows):
        st.caption(f"The first {len(rows):,} of {len(merges):,}.")
    if may.may_change(pf.corpus.folder):
        _undo(pf.corpus.folder, merges, home)


def _undo(folder: Path, merges: Sequence[Merge], home: Path) -> None:
    # Records with the same id stay together.
    separable = [merge for merge in merges if merge.merged_id != merge.paper_id]
    if not separable:
        st.caption("The records of each merge have the same id, so none of them can be a separate paper.")
        return
    titles = {merge.merged_id: f"{merge.merged_id}: {readable(merge.title)}" for merge in separable}
    merged_id = st.selectbox(
        "Record to turn into a separate paper", list(titles), None, key="undo-id", format_func=titles.__getitem__
    )
    if st.button("Undo this merge", key="undo", icon=":material/call_split:", disabled=merged_id is None) and merged_id:
        works.begin(Order("merges", folder, {"undo": merged_id}), home, {})


# The full texts: which papers have one, files to add, and texts to remove.

NO_TEXTS = "Others can reach this page, so full texts can be added only by whoever built this library."
_MOST_TEXTS = 1000
_MOST_OF_A_NAME = 120
_RIGHTS = (
    "Add texts that you are allowed to read. They stay in the library's folder, on the machine that runs this page."
)


def texts_panel(pf: Pathfinder, may: permissions.Permissions, home: Path) -> None:
    """List the full texts, and offer to add or remove some. Raises `UsageError` if something is being built."""
    texts = pf.full_texts
    st.header("Full texts", anchor="texts")
    st.markdown(
        "Sections, paragraphs, captions and references of papers, read from JATS or TEI, LaTeX, PDF, DOCX, Markdown or "
        "plain text. A file is matched to its paper by an identifier in the file's name or on its first page, or by "
        "the paper's title."
    )
    n_papers = f"{pf.corpus.manifest.counts.papers:,} papers"
    if texts.texts:
        formats = ", ".join(f"{text_format} {n:,}" for text_format, n in texts.by_format.items())
        size = f"{size_text(texts.n_bytes)} on disk"
        st.caption(f"{len(texts.texts):,} of {n_papers} have a full text ({formats}), {size}.")
    else:
        st.caption(f"None of the {n_papers} has a full text.")
    if may.may_change(pf.corpus.folder) and may.may("files"):
        _add(pf, home)
    else:
        st.caption(NO_TEXTS, help=permissions.allowed_by("files"))
    if texts.texts:
        shown_texts = list(texts.texts.values())[:_MOST_TEXTS]
        rows = pf.corpus.papers.rows_of([text.paper_id for text in shown_texts])
        table = {
            "Title": [readable(pf.corpus.papers[row].title) if row >= 0 else "" for row in rows.tolist()],
            "Read as": [text.road for text in shown_texts],
            "File": [text.origin for text in shown_texts],
            "Licence": [text.licence or "unknown" for text in shown_texts],
            "Paper": [text.paper_id for text in shown_texts],
        }
        st.dataframe(table, hide_index=True, alt=f"{len(shown_texts)} papers with full text")
        if len(texts.texts) > len(shown_texts):
            st.caption(f"The first {len(shown_texts):,} of {len(texts.texts):,}.")
        if may.may_change(pf.corpus.folder):
            paper_id = st.selectbox("Paper whose text you want to remove", texts.paper_ids, None, key="texts-remove-id")
            if st.button("Remove this text", key="texts-remove", icon=":material/delete:", disabled=paper_id is None):
                works.check_free()
                pf.remove_full_texts(str(paper_id))
                st.rerun()


def _add(pf: Pathfinder, home: Path) -> None:
    kinds = sorted(ending.removeprefix(".") for ending in SUFFIXES)
    limit: dict[str, Any] = {"max_upload_size": uploads.MAX_FILE_MB, "help": _RIGHTS}
    files = st.file_uploader("Full-text files", kinds, accept_multiple_files=True, key=uploads.key("texts"), **limit)
    paper_id, label = "", "Id of the paper, if the file is not recognised"
    if len(files) == 1:
        paper_id = st.text_input(label, key=uploads.key("texts-paper")).strip()
    st.caption(
        f"At most {uploads.MAX_FILES} files and {uploads.MAX_TOTAL_MB} MB; for a whole folder, use the command line."
    )
    if not st.button("Add", key="texts-add", type="primary", icon=":material/note_add:", disabled=not files):
        return
    works.check_free()
    paths = uploads.paths_of("texts", files, home, tuple(SUFFIXES))
    names = [Path(file.name).name[-_MOST_OF_A_NAME:] for file in files]
    options = {"files": [*map(str, paths)], "paper": paper_id or None, "names": names}
    works.begin(Order("fulltext add", pf.corpus.folder, options), home, {}, empties=True)
