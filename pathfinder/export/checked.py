"""A checked text as programs read it."""

from typing import TypedDict

from pathfinder.types import CheckedSentence, Ledger


class EvidenceRecord(TypedDict):
    """A sentence of a source."""

    id: str
    sentence: str
    score: float


class SentenceRecord(TypedDict):
    """A sentence of the text."""

    text: str
    citations: list[str]
    verdict: str
    evidence: list[EvidenceRecord]


class CheckRecord(TypedDict):
    """The whole; `None` for a sum that has nothing to count."""

    sentences: list[SentenceRecord]
    precision: float | None
    recall: float | None
    f1: float | None


def check_record(ledger: Ledger) -> CheckRecord:
    """`ledger` in the form that `pathfinder check --json` writes."""
    return CheckRecord(
        sentences=[_sentence(sentence) for sentence in ledger.sentences],
        precision=ledger.precision,
        recall=ledger.recall,
        f1=ledger.f1,
    )


def _sentence(sentence: CheckedSentence) -> SentenceRecord:
    return SentenceRecord(
        text=sentence.text,
        citations=list(sentence.citations),
        verdict=sentence.verdict.value,
        evidence=[
            EvidenceRecord(id=one.source_id, sentence=one.sentence, score=one.score) for one in sentence.evidence
        ],
    )
