"""Writes a draft as JSON for programs."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pathfinder.drafts.draft import DraftSentence, ReviewDraft, ReviewSection, SectionText
from pathfinder.export.plain_json import JsonObject, as_json, same_names, select
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper

# Papers on a shelf that a draft never cites, and papers that it cites although they are not on the shelf.


@dataclass(frozen=True, slots=True)
class DraftCoverage:
    """Comparison of a draft with a shelf, as ids of papers."""

    uncited: tuple[str, ...]
    """Papers on the shelf that are not marked as out and are never cited, in the order of the shelf."""
    off_shelf: tuple[str, ...]
    """Papers that are cited, but are no longer on the shelf, or are marked as out."""
    lost: tuple[str, ...]
    """Papers that are cited, but are not in the corpus: they were removed, or are dated later than the year as of which
    the corpus is read.
    """
    n_without_citation: int
    """Number of sentences that cite no paper; only the reader's own sentences may do so."""


def coverage_of(draft: ReviewDraft, shelf: Shelf, corpus_ids: Collection[str]) -> DraftCoverage:
    """Compare the citations in `draft` with `shelf`; `corpus_ids` holds the ids of the papers in the corpus."""
    cited_ids = draft.cited_ids
    return DraftCoverage(
        uncited=tuple(paper_id for paper_id in shelf.inside if paper_id not in cited_ids),
        off_shelf=tuple(paper_id for paper_id in cited_ids if paper_id not in shelf.inside),
        lost=tuple(paper_id for paper_id in cited_ids if paper_id not in corpus_ids),
        n_without_citation=sum(not sentence.citations for sentence in draft.sentences),
    )


def citation_numbers(draft: ReviewDraft, shelf: Shelf) -> dict[str, int]:
    """Return the number by which the citation marks on the page refer to each paper: its place on the shelf or, for
    papers that are cited but not on the shelf, one of the numbers that follow.
    """
    ids = dict.fromkeys((*shelf.paper_ids, *draft.cited_ids))
    return {paper_id: n for n, paper_id in enumerate(ids, start=1)}


def draft_record(shelf: str, draft: ReviewDraft, coverage: DraftCoverage, papers: Mapping[str, Paper]) -> JsonObject:
    """Describe a draft: shelf, title, sections and coverage (uncited, off_shelf, lost, n_without_citation).

    Each section has number (counted from 1), heading, question, papers (id, title) and text: null until it is written,
    or question, ran, gap, candidates, notes, dropped (text, citations, reason) and sentences, each with text,
    citations, origin ("quoted", "chat model" or "edited by you"), verdict, reasons and evidence (id, sentence, score).
    """
    return {
        "shelf": shelf,
        "title": draft.title,
        "sections": [_section(n, section, papers) for n, section in enumerate(draft.sections, start=1)],
        "coverage": as_json(coverage),
    }


def _section(number: int, section: ReviewSection, papers: Mapping[str, Paper]) -> JsonObject:
    paper_records = [
        {"id": paper_id, "title": readable(papers[paper_id].title) if paper_id in papers else None}
        for paper_id in section.paper_ids
    ]
    return {
        "number": number,
        **select(section, same_names("heading question")),
        "papers": paper_records,
        "text": None if section.text is None else _text(section.text),
    }


def _text(text: SectionText) -> JsonObject:
    return {
        **select(text, same_names("question ran gap candidates notes dropped")),
        "sentences": [_sentence(sentence) for sentence in text.sentences],
    }


def _sentence(sentence: DraftSentence) -> JsonObject:
    evidence = [select(each, {"id": "source_id", **same_names("sentence score")}) for each in sentence.checked.evidence]
    return {
        **select(sentence, same_names("text citations origin")),
        **select(sentence.checked, same_names("verdict reasons")),
        "evidence": evidence,
    }
