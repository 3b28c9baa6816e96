"""Checks the sentences of a draft, and separates those that no paper on the shelf supports."""

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING

from pathfinder.addons.drafts.draft import (
    DraftSentence,
    DroppedSentence,
    ReviewDraft,
    ReviewSection,
    SectionText,
    SentenceOrigin,
    citation_numbers,
    papers_of,
)
from pathfinder.answering.assessment.evidence.ledger import ledger_of
from pathfinder.answering.grounding.pasted_text import read_cited
from pathfinder.answering.grounding.readings import Readings
from pathfinder.errors import UsageError
from pathfinder.models.ports import Embedder
from pathfinder.settings import LOCAL_EMBEDDER
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.sentences import split_sentences
from pathfinder.types import (
    Answer,
    CheckedSentence,
    Claim,
    Paper,
    SearchRequest,
    Verdict,
    without_control_characters,
)
from pathfinder.types.requests import MAX_TOP_K

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

LATEST = 10_000
"""Year given to papers without a year, so that they are sorted last."""
_OPENING = 30
"""Number of characters at the beginning of a sentence that are searched for to find it in the text. Its end is left
out, because the text may have a citation mark before the full stop.
"""
NO_PAPER = "it cites no paper on the shelf"
_WITHOUT_SUPPORT = {
    Verdict.NOT_FOUND: "not found in the papers that it cites",
    Verdict.CONTRADICTED: "contradicted by the papers that it cites",
}


def checked_sentences(
    claims: Sequence[Claim], papers: Iterable[Paper], readings: Readings, embedder: Embedder
) -> tuple[CheckedSentence, ...]:
    """Check each claim against `papers`, read with their full-text passages, as `pathfinder check` does.

    Meanings are compared only if `embedder` is the local one, for which the ledger's cut-offs were set.
    """
    sources = [readings.read(paper) for paper in papers]
    return ledger_of(claims, sources, embedder if embedder.name == LOCAL_EMBEDDER else None).sentences


def sentences_of(
    answer: Answer, papers: Sequence[Paper], readings: Readings, embedder: Embedder
) -> tuple[tuple[DraftSentence, ...], tuple[DroppedSentence, ...]]:
    """Return the sentences in an answer that one of `papers` supports, and the others, each with the reason
    why none supports it.
    """
    origin = SentenceOrigin.MODEL if answer.is_written else SentenceOrigin.PAPER
    claims, starts = _single_sentences(answer)
    paper_ids = {paper.paper_id for paper in papers}
    cited_claims = [
        (claim, tuple(paper_id for paper_id in claim.citations if paper_id in paper_ids)) for claim in claims
    ]
    checked_sentences_in_order = checked_sentences(
        [Claim(claim.text, ids) for claim, ids in cited_claims], papers, readings, embedder
    )
    kept_sentences: list[DraftSentence] = []
    dropped_sentences: list[DroppedSentence] = []
    for claim, sentence, begins in zip(claims, checked_sentences_in_order, starts, strict=True):
        if reason := fault_of(sentence, origin):
            dropped_sentences.append(DroppedSentence(claim.text, claim.citations, reason))
        else:
            kept_sentences.append(DraftSentence(sentence, origin, begins))
    return tuple(kept_sentences), tuple(dropped_sentences)


def in_time(sentences: Sequence[DraftSentence], papers: Iterable[Paper]) -> tuple[DraftSentence, ...]:
    """Sort quotations by the years of their papers, with papers without a year last. Each paper has one paragraph, with
    its quotations in the order in which they stand in its abstract.
    """
    placed_papers = {paper.paper_id: (place, paper) for place, paper in enumerate(papers)}

    def place_of(sentence: DraftSentence) -> tuple[int, int, int]:
        place, paper = placed_papers[sentence.citations[0]]
        return paper.known_year or LATEST, place, paper.abstract.find(sentence.text)

    sorted_sentences = sorted(sentences, key=place_of)
    before = (None, *(sentence.citations for sentence in sorted_sentences))
    return tuple(
        replace(sentence, begins_paragraph=cited_before is not None and cited_before != sentence.citations)
        for sentence, cited_before in zip(sorted_sentences, before, strict=False)
    )


def fault_of(sentence: CheckedSentence, origin: SentenceOrigin) -> str | None:
    """Return the reason why no paper supports a sentence; `None` if one does. A quotation always has the
    support of the paper that it is quoted from.
    """
    if not sentence.citations:
        return NO_PAPER
    if origin is SentenceOrigin.PAPER or sentence.verdict not in _WITHOUT_SUPPORT:
        return None
    return "; ".join((_WITHOUT_SUPPORT[sentence.verdict], *sentence.reasons))


def _single_sentences(answer: Answer) -> tuple[list[Claim], list[bool]]:
    """Return the claims, one for each sentence, and whether each begins a paragraph of the text."""
    claims: list[Claim] = []
    starts: list[bool] = []
    end = 0
    for claim in answer.claims:
        opening = claim.text.rstrip(".!?")[:_OPENING]
        start = answer.text.find(opening, end)
        begins = start >= 0 and "\n" in answer.text[end:start]
        end = max(start + len(opening), end)
        for place, sentence in enumerate(split_sentences(claim.text) or (claim.text,)):
            claims.append(Claim(sentence, claim.citations))
            starts.append(begins and place == 0)
    return claims, starts


# A section's text as a reader edits it: sentences with numbers in brackets, paragraphs separated by empty lines.

MAX_TEXT = 40_000
"""Maximum length of a section's text, in characters."""
_PARAGRAPHS = re.compile(r"\n\s*\n")


def editable(text: SectionText, numbers: Mapping[str, int]) -> str:
    """Write the text of a section with the number of each cited paper in brackets, so that `read_edited` can read it
    back.
    """
    paragraphs: list[list[str]] = [[]]
    for sentence in text.sentences:
        if sentence.begins_paragraph:
            paragraphs.append([])
        marks = ", ".join(str(numbers[paper_id]) for paper_id in sentence.citations)
        paragraphs[-1].append(f"{sentence.text} [{marks}]" if marks else sentence.text)
    return "\n\n".join(" ".join(sentences) for sentences in paragraphs if sentences)


def read_edited(text: str, numbers: Mapping[str, int]) -> tuple[tuple[Claim, bool], ...]:
    """Read an edited text: each sentence with the ids of the papers that it cites, and whether it begins a paragraph.

    Raises `UsageError` for a number that belongs to no paper, and for a text that is too long.
    """
    if len(text) > MAX_TEXT:
        raise UsageError(
            f"a section of {len(text):,} characters is too long: the limit is {MAX_TEXT:,}; shorten it, or divide it "
            "in two"
        )
    ids = {str(number): paper_id for paper_id, number in numbers.items()}
    sentences: list[tuple[Claim, bool]] = []
    for paragraph in _PARAGRAPHS.split(text):
        clean = "\n".join(map(without_control_characters, paragraph.splitlines()))
        for place, (words, names) in enumerate(read_cited(clean, ids)):
            if stray := next((name for name in names if name not in ids), None):
                raise UsageError(
                    f"[{stray}] in “{words[:60]}” is no paper: the numbers go from 1 to {len(ids)}, as listed below "
                    "the text"
                )
            sentences.append((Claim(words, tuple(ids[name] for name in names)), place == 0 and bool(sentences)))
    return tuple(sentences)


def with_edit(
    before: SectionText, claims: Sequence[tuple[Claim, bool]], checked_sentences: Sequence[CheckedSentence]
) -> SectionText:
    """Return the text with the edited sentences and their new verdicts; an unchanged sentence keeps its origin. The
    text no longer counts as having a gap, unless it is empty.
    """
    origins = {(each.text, each.citations): each.origin for each in before.sentences}
    sentences = tuple(
        DraftSentence(sentence, origins.get((claim.text, claim.citations), SentenceOrigin.READER), begins)
        for (claim, begins), sentence in zip(claims, checked_sentences, strict=True)
    )
    return replace(before, sentences=sentences, gap=None if sentences else before.gap)


def edit_section(
    pf: "Pathfinder", draft: ReviewDraft, shelf: Shelf, key: str, text: str, numbers: Mapping[str, int] | None = None
) -> ReviewDraft:
    """Replace the text of a section, and compute its verdicts again; [n] cites the paper with this number, by default
    among `citation_numbers(draft, shelf)`.

    Raises `UsageError` for a number without a paper, and for an unknown key.
    """
    section = draft.section(key)
    edited_sentences = read_edited(text, numbers or citation_numbers(draft, shelf))
    checked_sentences = _check_claims(pf, shelf, section, [claim for claim, _ in edited_sentences])
    before = section.text or SectionText(section.question, (), "none: written by hand")
    return draft.with_text(key, with_edit(before, edited_sentences, checked_sentences))


def check_draft(pf: "Pathfinder", draft: ReviewDraft, shelf: Shelf) -> ReviewDraft:
    """Compute the verdicts of all sentences again, such as those in a file that somebody else wrote.

    A sentence becomes the reader's own if it cites nothing or a paper that is not on the shelf or not in the corpus, if
    its papers contradict it or do not support it, or if it is marked as a quotation and none of its papers contains it
    word for word; a note says how many sentences become the reader's own.
    """
    for section in draft.sections:
        if section.text is not None:
            draft = draft.with_text(section.key, _checked_text(pf, shelf, section, section.text))
    return draft


def _checked_text(pf: "Pathfinder", shelf: Shelf, section: ReviewSection, text: SectionText) -> SectionText:
    """Return the text with new verdicts; a sentence that no paper on the shelf backs becomes the reader's own."""
    checked_sentences = _check_claims(pf, shelf, section, [Claim(each.text, each.citations) for each in text.sentences])
    on_shelf = {paper.paper_id for paper in papers_of(pf, shelf.inside)}
    is_backed = [_is_backed(pf, old, new, on_shelf) for old, new in zip(text.sentences, checked_sentences, strict=True)]
    sentences = tuple(
        DraftSentence(new, old.origin if keeps_origin else SentenceOrigin.READER, old.begins_paragraph)
        for old, new, keeps_origin in zip(text.sentences, checked_sentences, is_backed, strict=True)
    )
    if n := is_backed.count(False):
        some = "1 sentence in the file has" if n == 1 else f"{n} sentences in the file have"
        note = f"{some} no paper on the shelf behind {'it and counts' if n == 1 else 'them and count'} as your own"
        return replace(text, sentences=sentences, notes=(*text.notes, note))
    return replace(text, sentences=sentences)


def _is_backed(pf: "Pathfinder", old: DraftSentence, new: CheckedSentence, on_shelf: AbstractSet[str]) -> bool:
    """Return whether a sentence is the reader's own, or meets the demands that `stream_section` makes on the sentences
    that it writes.
    """
    if old.origin is SentenceOrigin.READER:
        return True
    if fault_of(new, old.origin) is not None or not on_shelf >= {*new.citations}:
        return False
    return old.origin is SentenceOrigin.MODEL or _is_quoted(pf, old)


def _is_quoted(pf: "Pathfinder", sentence: DraftSentence) -> bool:
    """Return whether a paper that a sentence cites contains it word for word, in its abstract or in its full text."""
    papers, readings = papers_of(pf, sentence.citations), _readings(pf, sentence.text, sentence.citations)
    texts = [f"{paper.title} {paper.abstract}" for paper in papers]
    texts += [passage.text for passages in readings.passages.values() for passage in passages]
    words = " ".join(sentence.text.split())
    return any(words in " ".join(text.split()) for text in texts)


def _check_claims(
    pf: "Pathfinder", shelf: Shelf, section: ReviewSection, claims: Sequence[Claim]
) -> tuple[CheckedSentence, ...]:
    """Check claims against the papers in the section or, if it has none, those on the shelf, and against the papers
    that the claims cite.
    """
    cited_ids = [paper_id for claim in claims for paper_id in claim.citations]
    ids = tuple(dict.fromkeys((*(section.paper_ids or shelf.inside), *cited_ids)))
    readings = _readings(pf, section.question, ids)
    return checked_sentences(claims, papers_of(pf, ids), readings, pf.sentence_embedder)


def _readings(pf: "Pathfinder", question: str, ids: Sequence[str]) -> Readings:
    if not ids or not pf.full_texts.texts:
        return Readings()
    return Readings().with_hits(pf.search(SearchRequest(question, within=tuple(ids), top_k=MAX_TOP_K)).hits)
