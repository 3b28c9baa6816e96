"""Checks the sentences of a draft, and separates those that no paper on the shelf supports."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from pathfinder.assessment.evidence.ledger import ledger_of
from pathfinder.drafts.draft import DraftSentence, DroppedSentence, SentenceOrigin
from pathfinder.export.records import year_of
from pathfinder.grounding.readings import Readings
from pathfinder.models.ports import Embedder
from pathfinder.settings import LOCAL_EMBEDDER
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Answer, CheckedSentence, Claim, Paper, Verdict

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
    cited_claims = [(claim, _on_shelf(claim, paper_ids)) for claim in claims]
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
        return year_of(paper) or LATEST, place, paper.abstract.find(sentence.text)

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


def _on_shelf(claim: Claim, paper_ids: Collection[str]) -> tuple[str, ...]:
    return tuple(paper_id for paper_id in claim.citations if paper_id in paper_ids)


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
