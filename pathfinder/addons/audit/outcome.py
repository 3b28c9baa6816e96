"""An audit of a draft, apart from what makes one, so that the help of the command does not load that."""

from dataclasses import dataclass
from enum import StrEnum

from pathfinder.types import Paper


class SentenceVerdict(StrEnum):
    """Verdict on a citing sentence, based on the works that it cites."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    NOT_FOUND = "not found"
    CONTRADICTED = "contradicted"
    NO_SOURCE = "source not here"


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of a cited work that comes closest to what is said of it."""

    paper: Paper
    sentence: str
    """The sentence, verbatim."""
    place: str
    """Where it stands: "title", "abstract", or the section and page of the full text."""
    score: float
    """Share of the words of the claim that it has, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class CitingSentence:
    """A sentence of the draft that cites, with the verdict."""

    number: int
    """Its place among the citing sentences of the draft, from 1."""
    text: str
    """The sentence, with its citations as a reader sees them."""
    heading: str
    """Heading of its section; empty if that has none."""
    paragraph: int
    """Place of its paragraph in the draft, from 0."""
    cites: tuple[str, ...]
    """Keys of the works that it cites."""
    verdict: SentenceVerdict
    is_fault: bool
    """True if the source says otherwise, gives another number, seems to be the wrong one or is not in the bibliography:
    to be corrected.
    """
    reasons: tuple[str, ...]
    evidence: tuple[SourceSentence, ...]


class RemarkKind(StrEnum):
    """What there is to say about a cited work."""

    NO_ENTRY = "not in the bibliography"
    NOT_CITED = "never cited"
    TWICE = "listed twice"
    RETRACTED = "retracted"
    CORRECTED = "corrected"
    PUBLISHED = "published since"


@dataclass(frozen=True, slots=True)
class Remark:
    """A fault of the bibliography, or news of a work in it."""

    kind: RemarkKind
    key: str
    """Key of the work in the draft."""
    text: str
    """What is wrong, and the way out."""


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A work that the draft cites or lists."""

    key: str
    entry: str
    """Its entry, in a few words; empty if the bibliography has none."""
    record: Paper | None
    """The paper in the corpus; `None` if the corpus lacks it."""
    source: str
    """What of it is here: "full text", "abstract", "title" or "nothing"."""
    n_sentences: int
    """Number of sentences that cite it."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A paper of the corpus that the draft does not cite, and why it may want to."""

    paper: Paper
    reason: str
    heading: str
    """Heading of the section of the paragraph that it is closest to."""
    paragraph: int
    """Place of that paragraph in the draft, from 0."""


@dataclass(frozen=True, slots=True)
class DraftParagraph:
    """A paragraph of the draft."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Audit:
    """A draft, checked against the works that it cites."""

    title: str
    file: str
    sentences: tuple[CitingSentence, ...]
    works: tuple[CitedWork, ...]
    remarks: tuple[Remark, ...]
    suggestions: tuple[Suggestion, ...] | None
    """Works to consider; `None` if they were not looked for, in which case `notes` says why."""
    paragraphs: tuple[DraftParagraph, ...]
    notes: tuple[str, ...] = ()

    def n_with(self, verdict: SentenceVerdict) -> int:
        """Return the number of sentences with a verdict."""
        return sum(sentence.verdict is verdict for sentence in self.sentences)
