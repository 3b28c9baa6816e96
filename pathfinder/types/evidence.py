"""Evidence: the source sentences that support each sentence of an answer."""

from dataclasses import dataclass
from enum import StrEnum

from pathfinder.types.full_texts import FullTextPassage


class Verdict(StrEnum):
    """Verdict on a sentence, based on the sources that it cites."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    NOT_FOUND = "not found"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True)
class Source:
    """A text that can be cited."""

    source_id: str
    """Name by which the text is cited: the n of [n], or a paper's id."""
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence from a source, and how well it supports a claim."""

    source_id: str
    sentence: str
    """Text of the sentence, verbatim."""
    score: float
    """Score of the support, in [0, 1]."""
    passage: FullTextPassage | None = None
    """The full-text passage with the sentence; `None` if the sentence is from the abstract or the title."""


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence, its citations, and the evidence found for it."""

    text: str
    """Text without its marks."""
    citations: tuple[str, ...]
    verdict: Verdict
    evidence: tuple[Evidence, ...]
    """Evidence, best first, from the cited sources, or from all sources if none is cited."""
    reasons: tuple[str, ...] = ()
    """Reasons why the sentence is not supported, each in a few words: "72 in the text, 67 in the source"."""
    judged_by: str = "local checker"
    second_verdict: Verdict | None = None
    """Verdict of a chat model, if one was asked; `verdict` is still that of the local checker."""
    needed: tuple[bool, ...] = ()
    """For each of `citations`, true if that source supports the sentence."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every sentence of a text with its verdict, and the precision and recall of the citations (as in ScholarQABench,
    arXiv:2411.14199).
    """

    sentences: tuple[CheckedSentence, ...]
    precision: float | None
    """Share of citations that support their sentence; `None` if there are no citations."""
    recall: float | None
    """Share of sentences that are supported by their citations; `None` if there are no sentences."""
    f1: float | None
    notes: tuple[str, ...] = ()
