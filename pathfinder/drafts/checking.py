"""Checks the sentences of a draft, and separates those that no paper on the shelf supports."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pathfinder.assessment.evidence.ledger import ledger_of
from pathfinder.drafts.draft import DraftSentence, DroppedSentence, SectionText, SentenceOrigin
from pathfinder.errors import UsageError
from pathfinder.grounding.pasted_text import read_cited
from pathfinder.grounding.readings import Readings
from pathfinder.models.ports import Embedder
from pathfinder.settings import LOCAL_EMBEDDER
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Answer, CheckedSentence, Claim, Paper, Verdict, without_control_characters

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
