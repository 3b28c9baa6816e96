"""Requests for an answer, answers with their evidence, and the events of an answer in progress."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pathfinder.errors import UsageError
from pathfinder.types.digest import Digest, DigestForm
from pathfinder.types.full_texts import FullTextPassage
from pathfinder.types.papers import Paper
from pathfinder.types.stages import Call, Stage, StageStatus
from pathfinder.types.traces import Step, Trace, Version


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

    @property
    def counts(self) -> Mapping[Verdict, str]:
        """How many sentences have each verdict, in words, such as "2 supported (1 cites nothing)": a sentence without a
        citation is judged against all sources, and must not look as if it cited one.
        """
        counts = {}
        for verdict in Verdict:
            sentences = [sentence for sentence in self.sentences if sentence.verdict is verdict]
            n_uncited = sum(not sentence.citations for sentence in sentences)
            without_citation = f" ({n_uncited} {'cites' if n_uncited == 1 else 'cite'} nothing)" if n_uncited else ""
            if sentences:
                counts[verdict] = f"{len(sentences)} {verdict.value}{without_citation}"
        return counts


class ModeName(StrEnum):
    """Names of Pathfinder's own answer modes."""

    RAG = "rag"
    """Written by a chat model from the hits."""
    AGENT = "agent"
    """A ReAct agent, which searches as it goes."""
    DEEP_RESEARCH = "deep-research"
    """A plan of sub-questions, a finding for each, and a synthesis of the findings."""
    SELF_FEEDBACK = "self-feedback"
    """A draft, a critique of it, a search for whatever the critique finds missing, and a revision."""
    EXTRACTIVE = "extractive"
    """Sentences from the hits, verbatim, with no chat model."""


Generation = ModeName
"""Name of `ModeName` up to version 0.3.0."""


class Specialisation(StrEnum):
    """Styles in which a chat model answers (arXiv:2408.01556, section 3)."""

    SINGLE_PAPER = "single-paper"
    """One fact, stated briefly with its source."""
    MULTI_PAPER = "multi-paper"
    """A summary of what several papers say."""
    BIBLIOMETRIC = "bibliometric"
    """A query for ADS, which can count papers; Pathfinder cannot."""
    BROAD = "broad"
    """A first response, a check of it, and a refined response, all of them shown."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on an answer; when one is reached, the answer is completed with whatever has been found so far."""

    steps: int = 8
    """Maximum number of an agent's actions, of sub-questions or of rounds, 1 to 50."""
    seconds: float = 180.0
    tokens: int = 100_000
    """Maximum number of tokens read and written by the chat model in all calls together."""
    calls: int = 200
    """Maximum number of calls to the chat model, including those for routing and query expansion, 1 to 1,000."""

    def __post_init__(self) -> None:
        for name, most in (("steps", 50), ("tokens", 10_000_000), ("calls", 1000)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                raise UsageError(f"the budget's {name} must be a whole number in 1..{most}, got {value!r}")
        seconds = self.seconds
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
            raise UsageError(f"the budget's seconds must be a number above 0, got {seconds!r}")


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question in the conversation, with its answer."""

    question: str
    answer: str
    """Text of the answer, with [n] marks that refer to `sources`."""
    sources: tuple[Paper, ...] = ()


_FIELD_OF_NAME = {"mode": "generation", "style": "specialisation"}


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """A request to answer the question that led to a result."""

    generation: ModeName | str = ModeName.RAG
    """The answer mode; a string names a mode from another package."""
    specialisation: Specialisation | None = None
    """The style of the answer, by default the first that the mode supports; a mode refuses a style that it does not
    support.
    """
    budget: Budget = field(default_factory=Budget)
    earlier: tuple[Exchange, ...] = ()
    """Earlier questions and answers in the conversation, the most recent last."""
    second_judge: bool = False
    """True if the chat model, in addition to the local checker, judges the evidence."""
    from_memory: bool = False
    """True if a question that no paper answers may be answered from the chat model's memory; the answer is then marked
    as such.
    """

    form: DigestForm | None = None
    """The form of a digest; `None` for the form that suits the question."""

    def __post_init__(self) -> None:
        if not self.generation or str(self.generation) != self.generation:
            names = ", ".join(ModeName)
            raise UsageError(
                f"generation must be one of {names}, or the name of an answer mode, got {self.generation!r}"
            )
        if self.specialisation is not None and not isinstance(self.specialisation, Specialisation):
            raise UsageError(f"specialisation must be one of {', '.join(Specialisation)}, got {self.specialisation!r}")
        if self.form is not None and not isinstance(self.form, DigestForm):
            raise UsageError(f"form must be one of {', '.join(DigestForm)}, got {self.form!r}")
        if not isinstance(self.budget, Budget):
            raise UsageError(f"the budget must be a Budget, got {self.budget!r}")


def by_field(names: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of `names`, keyed by the fields of `AnswerRequest`: `mode` and `style`, as the page and the
    command line call them, become `generation` and `specialisation`. Raises `UsageError` if both names of a field are
    used.
    """
    for name, field_name in _FIELD_OF_NAME.items():
        if {name, field_name} <= names.keys():
            raise UsageError(f"{name} and {field_name} are names of the same setting: leave one out")
    return {_FIELD_OF_NAME.get(name, name): value for name, value in names.items()}


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of an answer and the papers that it cites."""

    text: str
    """Text without its [n] marks."""
    citations: tuple[str, ...]
    """Ids of the papers cited, all of which were sources of the answer."""


@dataclass(frozen=True, slots=True)
class FoldedReply:
    """A chat model's reply that is not an answer: it is kept, but something else is shown as the answer."""

    text: str
    """Text with the same marks as the text of an answer."""
    reason: str
    """Reason why it is not an answer, as the end of a sentence: "of its 4 sentences, 3 not found"."""
    model: str
    """Name of the chat model that wrote it."""
    notes: tuple[str, ...] = ()
    """Problems with the reply, such as an invented citation."""
    ledger: Ledger | None = None
    """Evidence for each of its sentences; `None` if it makes no claims."""


@dataclass(frozen=True, slots=True)
class AdsPart:
    """A part of a query for the Astrophysics Data System, and the words of the question that it was read from."""

    term: str
    """As ADS writes it: `abs:"dark matter"`."""
    words: str
    is_inner: bool = False
    """True for a part of the query within a function, such as what `citations()` looks up."""
    group: int = 0
    """Parts with the same number are alternatives, joined by OR."""


@dataclass(frozen=True, slots=True)
class AdsOperator:
    """A function of ADS that turns the papers of one query into other papers, and the words that ask for it."""

    name: str
    """Such as `citations` or `topn`."""
    words: str
    n: int = 0
    """For `topn`, the number of papers."""
    sort: str = ""
    """For `topn`, the field by which they are sorted."""

    def around(self, query: str) -> str:
        """Return the function with its query: `topn(10, QUERY, citation_count desc)`."""
        return f"topn({self.n}, {query}, {self.sort} desc)" if self.name == "topn" else f"{self.name}({query})"


@dataclass(frozen=True, slots=True)
class AdsQuery:
    """A checked query for the Astrophysics Data System."""

    query: str
    faults: tuple[str, ...]
    """Faults in the query, one sentence each; empty for a query that ADS will accept."""
    link: str | None
    """Address of the query on ADS; `None` if it has faults."""
    parts: tuple[AdsPart, ...] = ()
    """What the query was read from, if rules wrote it."""
    operator: AdsOperator | None = None
    """The function that the question asks for, if rules wrote the query."""
    unread: tuple[str, ...] = ()
    """Words of the question that may matter and that the rules could not put."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question, with the papers cited for each sentence."""

    question: str
    text: str
    """Text with [n] marks; n is a position in `sources`, counted from 1. An invented mark ends with a question mark:
    [k3q7z?].
    """
    claims: tuple[Claim, ...]
    abstained: bool
    stages: tuple[Stage, ...]
    notes: tuple[str, ...] = ()
    """Problems that came up along the way, such as a provider's failure or an invented citation."""
    sources: tuple[Paper, ...] = ()
    """Papers used as sources; if the list begins with the papers of the hits, the n of a mark is the rank of a hit."""
    ledger: Ledger | None = None
    """Evidence from the sources for each sentence; `None` if the answer makes no claims."""
    trace: Trace | None = None
    """Steps that led to the answer, if any."""
    versions: tuple[Version, ...] = ()
    """All versions of the text, starting with the first draft; empty if there was only one."""
    calls: tuple[Call, ...] = ()
    """Every call to a chat model, with its duration and its tokens."""
    ads_query: AdsQuery | None = None
    """Query for ADS, if the question is bibliometric."""
    redirect: str | None = None
    """Kind of question, such as "counting", if that kind is out of scope; `None` if the question was answered."""
    stage_status: tuple[StageStatus, ...] = ()
    """The model that ran in each stage, the outcome and the reason, as data; `stages` says the same in words."""
    digest: Digest | None = None
    """The answer as a digest, if it consists only of quotations; or, if a chat model wrote the text and the question
    asks for a quantity, a digest of the values stated in papers.
    """
    folded: FoldedReply | None = None
    """The chat model's reply, if it is not an answer and the text is quoted from the papers instead."""
    is_written: bool = False
    """True if a chat model wrote the text: `digest`, if any, is then shown alongside it."""

    @property
    def quotations(self) -> tuple[str, ...]:
        """Everything in `text` that is quoted from papers; numbers in brackets there are the papers' own citations."""
        findings = self.digest.findings if self.digest and not self.is_written else ()
        return tuple(piece for finding in findings for piece in finding.pieces)


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next words of the answer, with [n] marks. They are replaced by the checked text in `Done`."""

    text: str


@dataclass(frozen=True, slots=True)
class StepTaken:
    """A step towards the answer: a thought, an action, an observation or a version."""

    step: Step


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the reader should know about the answer, as in `Answer.notes`."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """The finished and checked answer; it is always the last event and occurs exactly once."""

    answer: Answer


AnswerEvent = TextDelta | StepTaken | Note | Done
"""All events that may be streamed while a question is answered."""


# An answer rewritten for another audience, and the facts that were lost or added.


class Audience(StrEnum):
    """Audience of a rewritten answer."""

    TEN_YEAR_OLD = "ten-year-old"
    STUDENT = "student"
    """A physics student in the first years of university."""
    EXPERT = "expert"
    """An astronomer."""


class FactKind(StrEnum):
    """Kinds of fact that must survive when an answer is rewritten."""

    NUMBER = "number"
    UNIT = "unit"
    NAME = "name"
    NEGATION = "negation"
    CITATION = "citation"


@dataclass(frozen=True, slots=True)
class Change:
    """A fact that only one of the two texts contains."""

    kind: FactKind
    text: str
    """Text of the fact, verbatim."""
    start: int
    """Start of the fact: its position in the original if it was lost, in the rewritten text if it was added."""
    end: int
    reason: str
    """Reason in a few words, such as "not in the new text"."""


@dataclass(frozen=True, slots=True)
class Fidelity:
    """Facts that were lost or added in a rewritten text, in order of position."""

    lost: tuple[Change, ...]
    added: tuple[Change, ...]
    not_compared: tuple[str, ...] = ()
    """Kinds of fact that could not be compared, with the reason."""

    @property
    def is_faithful(self) -> bool:
        """True if none of the facts that can be compared was lost or added."""
        return not self.lost and not self.added


@dataclass(frozen=True, slots=True)
class Rewrite:
    """An answer rewritten for another audience or in another language."""

    original: str
    text: str
    """Text with the [n] marks of the original; a mark that is not in the original ends with a question mark: [9?]."""
    audience: Audience | None
    """Audience of the new text; `None` if it is the same as before."""
    language: str | None
    """Language as requested; `None` if it is the language of the original."""
    fidelity: Fidelity
    ran: str
    """Badge text that names the model."""
    seconds: float
    notes: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
