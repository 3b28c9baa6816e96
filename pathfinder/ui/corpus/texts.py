"""The full texts of the open corpus: which papers have one, files to add, and texts to remove."""

from pathlib import Path

import streamlit as st

from pathfinder.facade import Pathfinder
from pathfinder.fulltext.adding import SUFFIXES
from pathfinder.fulltext.store import FullTexts
from pathfinder.operations.child.orders import Order
from pathfinder.text.latex.display import readable
from pathfinder.ui.corpus import uploads, works
from pathfinder.ui.corpus.overview import size_text
from pathfinder.ui.corpus.permissions import Permissions

NOT_ALLOWED = (
    "Others can reach this page, so full texts can be added only by whoever built this library. Whoever runs the page "
    "can let others add them with PATHFINDER_VISITORS_MAY=files."
)
_MOST_TEXTS = 1000
_MOST_OF_A_NAME = 120
_RIGHTS = (
    "Add texts that you are allowed to read. They stay in the library's folder, on the machine that runs this page."
)


def panel(pf: Pathfinder, may: Permissions, home: Path) -> None:
    """List the full texts, and offer to add or remove some. Raises `UsageError` if something is being built."""
    texts = pf.full_texts
    st.subheader("Full texts", anchor="texts")
    st.markdown(
        "Sections, paragraphs, captions and references of papers, read from JATS or TEI, LaTeX, PDF, Markdown or plain "
        "text. A file is matched to its paper by an identifier in the file's name or on its first page, or by the "
        "paper's title."
    )
    st.caption(_summary(texts, pf.corpus.manifest.counts.papers))
    if may.may_change(pf.corpus.folder) and may.may("files"):
        _add(pf, home)
    else:
        st.info(NOT_ALLOWED)
    if texts.texts:
        _text_list(pf, texts)
        if may.may_change(pf.corpus.folder):
            paper_id = st.selectbox("Paper whose text you want to remove", texts.paper_ids, None, key="texts-remove-id")
            if st.button("Remove this text", key="texts-remove", icon=":material/delete:", disabled=paper_id is None):
                works.check_free()
                pf.remove_full_texts(str(paper_id))
                st.rerun()


def _summary(texts: FullTexts, n_papers: int) -> str:
    if not texts.texts:
        return f"None of the {n_papers:,} papers has a full text."
    formats = ", ".join(f"{text_format} {n:,}" for text_format, n in texts.by_format.items())
    return (
        f"{len(texts.texts):,} of {n_papers:,} papers have a full text ({formats}), {size_text(texts.n_bytes)} on disk."
    )


def _add(pf: Pathfinder, home: Path) -> None:
    files = st.file_uploader(
        "Full-text files",
        type=sorted(ending.removeprefix(".") for ending in SUFFIXES),
        accept_multiple_files=True,
        key=uploads.key("texts"),
        max_upload_size=uploads.MAX_FILE_MB,
        help=_RIGHTS,
    )
    paper_id = ""
    if len(files) == 1:
        paper_id = st.text_input(
            "Id of the paper, if the file is not recognised", key=uploads.key("texts-paper")
        ).strip()
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


def _text_list(pf: Pathfinder, texts: FullTexts) -> None:
    shown_texts = list(texts.texts.values())[:_MOST_TEXTS]
    rows = pf.corpus.papers.rows_of([text.paper_id for text in shown_texts])
    table = [
        {
            "Title": readable(pf.corpus.papers[row].title) if row >= 0 else "",
            "Read as": text.road,
            "File": text.origin,
            "Licence": text.licence or "unknown",
            "Paper": text.paper_id,
        }
        for text, row in zip(shown_texts, rows.tolist(), strict=True)
    ]
    st.dataframe(table, hide_index=True, alt=f"{len(table)} papers with full text")
    if len(texts.texts) > len(table):
        st.caption(f"The first {len(table):,} of {len(texts.texts):,}.")
