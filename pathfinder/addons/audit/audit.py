"""Audits a draft: read -> its works found in the corpus -> its sentences and its bibliography checked."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pathfinder.addons.audit.claims import Citing, citing_sentences, without_citations
from pathfinder.addons.audit.draft import Draft, read_draft_apart
from pathfinder.addons.audit.judging import Judge, WorkVectors
from pathfinder.addons.audit.library import NOTHING, Library, Records
from pathfinder.addons.audit.outcome import (
    Audit,
    CitedWork,
    CitingSentence,
    DraftParagraph,
    Remark,
    RemarkKind,
    Suggestion,
)
from pathfinder.addons.audit.suggestions import suggestions
from pathfinder.answering.assessment.evidence.claim_check import SentenceVectors
from pathfinder.building.progress import Progress, Silent, stage_of
from pathfinder.models.ports import Embedder
from pathfinder.settings import LOCAL_EMBEDDER
from pathfinder.types import Paper

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

LONGEST_ENTRY = 160
"""Number of characters of an entry that are kept."""


def audit_of(
    pf: "Pathfinder", draft: Path | str, bib: Path | str | None = None, progress: Progress | None = None
) -> Audit:
    """Check a draft (LaTeX, Markdown or DOCX, or a folder with LaTeX) against the works that it cites.

    Without `bib`, the BibTeX files that the draft names count. Raises `UsageError` if it cannot be read.
    """
    read = read_draft_apart(Path(draft), None if bib is None else Path(bib))
    return audit_draft(pf, read, progress)


def audit_draft(pf: "Pathfinder", draft: Draft, progress: Progress | None = None) -> Audit:
    """Check a draft that has been read."""
    finder = Records(pf.corpus.papers)
    records = dict(_records(draft, finder))
    library = Library.of(tuple({paper.paper_id: paper for paper in records.values()}.values()), pf.full_texts)
    embedder = pf.sentence_embedder if pf.sentence_embedder.name == LOCAL_EMBEDDER else None
    works_in_space = None if embedder is None else vectors_of_works(pf, embedder, library)
    judge = Judge(library, records, SentenceVectors(embedder) if embedder else None, works_in_space)
    paragraphs, numbered = list(_paragraphs(draft)), list(enumerate(_citing(draft), start=1))
    sentences = tuple(
        judge.judge(number, citing, heading, place)
        for number, (citing, heading, place) in stage_of(numbered, progress or Silent(), "comparing sentences")
    )
    remarks = tuple(_remarks(draft, records, finder))
    lost = {remark.key for remark in remarks if remark.kind is RemarkKind.NO_ENTRY}
    sentences = tuple(_with_lost(sentence, lost) for sentence in sentences)
    n_citing = Counter(key for sentence in sentences for key in sentence.cites)
    works = tuple(_works(draft, records, library, n_citing))
    return Audit(
        draft.document.title,
        draft.document.provenance.file,
        sentences,
        works,
        remarks,
        _suggestions(pf, draft, records, works_in_space),
        tuple(paragraphs),
        (*(() if works_in_space else (_not_looked_for(draft, library),)), *draft.warnings, *library.unreadable),
    )


def _with_lost(sentence: CitingSentence, lost: Collection[str]) -> CitingSentence:
    """Mark a sentence as faulty if it cites a key that the bibliography lacks: TeX prints a question mark."""
    reasons = tuple(f"the bibliography has no entry {key}" for key in sentence.cites if key in lost)
    return replace(sentence, is_fault=True, reasons=(*reasons, *sentence.reasons)) if reasons else sentence


def _records(draft: Draft, finder: Records) -> Iterator[tuple[str, Paper]]:
    """Yield the key of each entry whose paper is in the corpus, with that paper."""
    for key, entry in draft.listed.items():
        if paper := finder.of_entry(entry):
            yield key, paper
    for reference in draft.document.references:
        if reference.key not in draft.listed and (paper := finder.of_reference(reference)):
            yield reference.key, paper


def vectors_of_works(pf: "Pathfinder", embedder: Embedder, library: Library) -> WorkVectors | None:
    """Return the vectors of the works, from the corpus; `None` if another embedder made them."""
    if not library.passages or pf.corpus.manifest.embedder != embedder.name:
        return None
    paper_ids = list(library.passages)
    vectors = pf.corpus.dense.vectors(pf.corpus.papers.rows_of(paper_ids))
    return WorkVectors(embedder, dict(zip(paper_ids, vectors, strict=True)))


def _not_looked_for(draft: Draft, library: Library) -> str:
    """Say what cannot be looked for without the vectors of the works, and why."""
    if not (draft.cited or draft.listed or draft.document.references):
        return (
            "works to consider were not looked for, and no citation could be followed: the draft has no list of "
            "references, which names like (Riess 2022) and marks like [1] need"
        )
    if not library.passages:
        return "works to consider were not looked for: the corpus has none of the works that the draft cites"
    return (
        "works to consider, and works that fit a sentence better than those that it cites, were not looked for: this "
        f"needs vectors from {LOCAL_EMBEDDER}, which `pathfinder update CORPUS --re-embed` makes"
    )


def _suggestions(
    pf: "Pathfinder", draft: Draft, records: Mapping[str, Paper], works: WorkVectors | None
) -> tuple[Suggestion, ...] | None:
    if works is None:
        return None
    cited = {paper.paper_id: paper for key, paper in records.items() if "*" in draft.cited or key in draft.cited}
    paragraphs = [paragraph for section in draft.document.sections for paragraph in section.paragraphs]
    plain = [without_citations(each.text, 0, len(each.text), each.citations) for each in paragraphs]
    return suggestions(pf.corpus, tuple(_paragraphs(draft)), plain, cited, works, draft.document.title)


def _paragraphs(draft: Draft) -> Iterator[DraftParagraph]:
    for section in draft.document.sections:
        for paragraph in section.paragraphs:
            yield DraftParagraph(section.title, paragraph.text)


def _citing(draft: Draft) -> Iterator[tuple[Citing, str, int]]:
    place = 0
    for section in draft.document.sections:
        for paragraph in section.paragraphs:
            for citing in citing_sentences(paragraph):
                yield citing, section.title, place
            place += 1


def _entries(draft: Draft) -> dict[str, str]:
    texts = {reference.key: reference.text for reference in draft.document.references}
    return {key: text[:LONGEST_ENTRY] for key, text in texts.items()}


def _works(
    draft: Draft, records: Mapping[str, Paper], library: Library, n_citing: Mapping[str, int]
) -> Iterator[CitedWork]:
    entries = _entries(draft)
    for key in dict.fromkeys((*(each for each in draft.cited if each != "*"), *entries)):
        record = records.get(key)
        source = NOTHING if record is None else library.source_of(record)
        yield CitedWork(key, entries.get(key, ""), record, source, n_citing.get(key, 0))


def _remarks(draft: Draft, records: Mapping[str, Paper], finder: Records) -> Iterator[Remark]:
    """Yield the faults of the bibliography, and what the corpus has learned of its works."""
    entries = _entries(draft)
    cited = set(draft.cited)
    for key in draft.cited:
        if key not in entries and key != "*" and entries:
            yield Remark(RemarkKind.NO_ENTRY, key, "it is cited, but the bibliography has no such entry: add it")
    for key in draft.twice:
        yield Remark(RemarkKind.TWICE, key, "two entries have this key, and BibTeX takes the first: rename one")
    for key in entries:
        if key not in cited and "*" not in cited:
            yield Remark(RemarkKind.NOT_CITED, key, "the bibliography lists it, but nothing cites it")
    for key, paper in records.items():
        if key not in cited and "*" not in cited:
            continue
        if paper.warning:
            yield Remark(RemarkKind.RETRACTED, key, f"{paper.warning}: cite it only to say so")
        for correction in finder.corrections_of(paper):
            yield Remark(RemarkKind.CORRECTED, key, f"corrected by {correction.paper_id}: {correction.title}")
        if (published := _published(draft.listed.get(key), paper)) is not None:
            yield Remark(RemarkKind.PUBLISHED, key, published)


def _published(entry: Paper | None, paper: Paper) -> str | None:
    """Say where a work has appeared that is cited as a preprint; `None` if it is not, or has not."""
    if entry is None or entry.venue or entry.journal or not entry.arxiv_id:
        return None
    where = paper.journal or paper.venue
    if not where or "arxiv" in where.lower():
        return None
    return f"cited as a preprint; it has appeared in {where}" + (f", doi:{paper.doi}" if paper.doi else "")
