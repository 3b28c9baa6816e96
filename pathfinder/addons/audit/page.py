"""The step Audit of Review: a draft with marks at its margin."""

import json
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePath

import streamlit as st

from pathfinder.addons.audit.audit import audit_of
from pathfinder.addons.audit.draft import MAX_BYTES, SUFFIXES
from pathfinder.addons.audit.operation import audit as operation
from pathfinder.addons.audit.outcome import Audit, CitingSentence
from pathfinder.addons.audit.writing import (
    MOST_SHOWN,
    audit_markdown,
    describe_audit,
    remark_lines,
    sentence_markdown,
    to_look_at,
)
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.operations.export.bibtex import bibtex, bibtex_keys
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.text.sentences import split_sentences
from pathfinder.ui import road
from pathfinder.ui.settings import controls
from pathfinder.ui.shared import jobs, resources, visit_corpus
from pathfinder.ui.shared.frame import save
from pathfinder.ui.shared.panels import Panel

TASK = "audit"
_FILES, _SECTION, _ALL, _IS_EXAMPLE = "audit-files", "audit-section", "audit-all", "audit-is-example"
_WHOLE, _MOST_PARAGRAPHS, _N_IN_EXAMPLE = "The whole draft", 100, 4
_COLOURS = {"supported": "green", "partly": "blue", "not found": "orange", "contradicted": "red"}


def draw() -> None:
    """Draw the step."""
    visit_corpus.write_link()
    pf = resources.pathfinder()
    st.caption(
        "Every citing sentence of a draft is compared with the works that it cites, as far as this library has them, "
        "and its bibliography with the text. The files are read on the machine that runs this page, and not kept."
    )
    with st.form("audit-form", border=False):
        endings = sorted({*(suffix[1:] for suffix in SUFFIXES), "bib", "bbl"})
        files = st.file_uploader(
            "The draft, what it inputs, and its .bib", endings, accept_multiple_files=True, key=_FILES
        )
        is_sent = st.form_submit_button("Check the draft", type="primary", icon=":material/fact_check:")
    contents = [(PurePath(file.name).name, file.getvalue()) for file in files] if is_sent else []
    if not is_sent and not files and jobs.running_task(TASK) is None:
        contents = example(pf)
    if is_sent or contents:
        st.session_state[_IS_EXAMPLE] = not is_sent
        jobs.forget(TASK)
        work = _check if is_sent else _check_example  # what a reader sends is not kept
        jobs.task(TASK, lambda: jobs.once(lambda: work(pf, contents)))
    job: jobs.Job[str, Audit] | None = jobs.running_task(TASK)
    if job is not None:
        if st.session_state.get(_IS_EXAMPLE):
            st.caption("An example: sentences of papers in this library, of which the last names the wrong source.")
        reading = partial(jobs.stop_line, job, "audit", "reading the draft and its sources")
        if audit := jobs.outcome(job, reading, "Stopped. The draft was not checked."):
            _draw(audit)


def example(pf: Pathfinder) -> list[tuple[str, bytes]]:
    """Return a draft with its bibliography: sentences of papers in the open library, each with the paper that it comes
    from, but the last with the first one's; nothing if fewer than two of them have an abstract and
    authors.
    """
    rows = pf.corpus.papers.rows_of(road.gathered(pf).paper_ids)
    papers = [pf.corpus.papers[int(row)] for row in rows]  # a check finds works by their authors, too
    papers = [paper for paper in papers if paper.has_abstract and paper.authors][:_N_IN_EXAMPLE]
    if len(papers) < 2:
        return []
    keys = bibtex_keys(papers)
    abstracts = (readable(paper.abstract) for paper in papers)
    sentences = ((split_sentences(abstract) or [abstract])[0].rstrip(".") for abstract in abstracts)
    cited = zip(sentences, (*keys[:-1], *keys[:1]), strict=True)
    text = " ".join(f"{sentence} [@{key}]." for sentence, key in cited)
    return [("example.md", text.encode()), ("example.bib", bibtex(papers).encode())]


def _check(pf: Pathfinder, files: Sequence[tuple[str, bytes]]) -> Audit:
    """Check a draft in a folder of its own, which is removed at the end."""
    if sum(len(content) for _, content in files) > MAX_BYTES:
        raise UsageError(
            f"the files have more than {MAX_BYTES >> 20} MB, the limit: leave out what the text does not need"
        )
    drafts = [name for name, _ in files if PurePath(name).suffix.lower() in SUFFIXES]
    bibs = [name for name, _ in files if name.lower().endswith(".bib")]
    if not drafts:
        raise UsageError(f"there is no draft among the files: add one that ends in {', '.join(SUFFIXES)}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name, content in files:
            (folder / name).write_bytes(content)
        return audit_of(pf, folder / drafts[0] if len(drafts) == 1 else folder, folder / bibs[0] if bibs else None)


_check_example = st.cache_data(show_spinner=False, max_entries=8, hash_funcs=resources.BY_CORPUS)(_check)
"""Checks an example once for all visitors, since a draft is read in a process of its own."""


def _draw(audit: Audit) -> None:
    st.markdown(for_markdown(describe_audit(audit)))
    record = json.dumps(operation.write(audit), ensure_ascii=False, indent=1)
    with st.container(horizontal=True):
        for label, content, name in (("Markdown", audit_markdown(audit), "audit.md"), ("JSON", record, "audit.json")):
            save(label, content, name, type="tertiary")
    controls.notes(*audit.notes[:MOST_SHOWN])
    if first := to_look_at(audit):
        with st.expander(f"Read against their sources: {len(first)}", expanded=True, key="audit-first"):
            st.markdown("\n".join(f"- {for_markdown(each.text)}  \n  {_mark(each)}" for each in first[:MOST_SHOWN]))
            if len(first) > MOST_SHOWN:
                st.caption(f"The first {MOST_SHOWN}; the others are marked below.")
    headings = list(dict.fromkeys(paragraph.heading for paragraph in audit.paragraphs))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        heading = st.selectbox(
            "Section", [_WHOLE, *headings], format_func=lambda each: each or "Beginning", key=_SECTION, width=360
        )
        is_all = st.toggle("Paragraphs that cite nothing, too", value=True, key=_ALL)
    shown = [
        (paragraph, marks)
        for place, paragraph in enumerate(audit.paragraphs)
        if heading in (_WHOLE, paragraph.heading)
        and ((marks := [each for each in audit.sentences if each.paragraph == place]) or is_all)
    ]
    before = None
    for paragraph, marks in shown[:_MOST_PARAGRAPHS]:
        if paragraph.heading != before and (before := paragraph.heading) and heading == _WHOLE:
            st.markdown(f"## {for_markdown(before)}")
        text, margin = st.columns((3, 2))
        text.markdown(for_markdown(paragraph.text))
        margin.markdown("\n\n".join(map(_mark, marks)))
    if len(shown) > _MOST_PARAGRAPHS:
        st.caption(f"The first {_MOST_PARAGRAPHS} of {len(shown)} paragraphs: choose a section to see the others.")
    if remarks := list(remark_lines(audit)):
        with st.expander(f"Bibliography: {len(remarks)} remarks", key="audit-remarks"):
            st.markdown("\n".join(f"- {for_markdown(line)}" for line in remarks))
    if audit.suggestions:
        with st.expander("Works to consider", key="audit-suggestions"):
            lines = (
                f"- {resources.title_link(each.paper)}: {for_markdown(each.reason)}"
                for each in audit.suggestions[:MOST_SHOWN]
            )
            st.markdown("\n".join(lines))
            if len(audit.suggestions) > MOST_SHOWN:
                st.caption(f"The closest {MOST_SHOWN} of {len(audit.suggestions)}; JSON has them all.")


def _mark(sentence: CitingSentence) -> str:
    colour = "red" if sentence.is_fault else _COLOURS.get(sentence.verdict, "gray")
    return f":{colour}[▎]:small[{sentence_markdown(sentence)}]"


STEP = Panel(70, "Audit", ":material/fact_check:", draw)
