"""Writes a draft as JSON for programs."""

from collections.abc import Mapping

from pathfinder.drafts.coverage import DraftCoverage
from pathfinder.drafts.draft import DraftSentence, ReviewDraft, ReviewSection, SectionText
from pathfinder.export.plain_json import JsonObject, as_json, same_names, select
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper


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
