"""Which sentence of which source each sentence of an answer rests on."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What the sources that a sentence cites say of it."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    NOT_FOUND = "not found"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True)
class Source:
    """A text that may be cited."""

    source_id: str
    """As the citing text names it: the n of [n], or a paper's id."""
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of a source, and how far it bears out a claim."""

    source_id: str
    sentence: str
    """Verbatim."""
    score: float
    """In [0, 1]."""


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """One sentence, what it cites, and what was found there."""

    text: str
    """Without its marks."""
    citations: tuple[str, ...]
    verdict: Verdict
    evidence: tuple[Evidence, ...]
    """Best first; of the sources cited, or of all sources where it cites none."""
    reasons: tuple[str, ...] = ()
    """Why it is not supported, each in a few words: "72 in the text, 67 in the source"."""
    judged_by: str = "local checker"
    second_verdict: Verdict | None = None
    """What a chat model said, where one was asked; `verdict` stays the local checker's."""
    needed: tuple[bool, ...] = ()
    """For each of `citations`, whether that source bears the sentence out."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every sentence of a text, checked, and the sums (as in ScholarQABench, arXiv:2411.14199)."""

    sentences: tuple[CheckedSentence, ...]
    precision: float | None
    """Share of citations that bear their sentence out; `None` without a citation."""
    recall: float | None
    """Share of sentences that what they cite bears out; `None` without a sentence."""
    f1: float | None
    notes: tuple[str, ...] = ()
