"""Hypotheses: two concepts that are never keywords of the same paper, what links them, and a chat model's statement."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from pydantic import ConfigDict, Field

from pathfinder.assessment.evidence.ledger import ledger_of
from pathfinder.errors import ProviderError
from pathfinder.grounding.sources import CitationRegistry, as_sources, room_for_sources, source_text
from pathfinder.llm.chat import REFUSALS, Chat, complete, finalise_calls, in_brief, parse_json, unreadable
from pathfinder.llm.prompts import render
from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.types import Call, Claim, Paper, StageOutcome, StageStatus, Verdict

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder


@dataclass(frozen=True, slots=True)
class LinkingPaper:
    """A paper that has a linking concept and one of the two concepts of a hypothesis."""

    paper: Paper
    quotation: str
    """Sentence from the abstract, or the title, verbatim: one that mentions both concepts, if there is one."""
    names_both: bool
    """False if no sentence in the paper mentions both concepts, although both are among the paper's keywords."""


@dataclass(frozen=True, slots=True)
class LinkingConcept:
    """A concept that occurs with both concepts of a hypothesis."""

    name: str
    n_with: tuple[int, int]
    """Number of papers that have it together with the first concept, and with the second."""
    papers: tuple[LinkingPaper, LinkingPaper]
    """A paper with the first concept, and one with the second."""


@dataclass(frozen=True, slots=True)
class ConceptPlace:
    """The region of the map in which most papers on a concept lie."""

    region: str
    """Distinctive keywords of the region; empty if it has none."""
    x: float
    y: float
    """Middle of the region."""
    n_papers: int
    """Number of papers on the concept in the region."""
    is_gap: bool
    """True if the layer of gaps marks the region as a gap."""


class ClauseKind(StrEnum):
    """Basis of a clause in a statement."""

    COUNT = "count"
    """A count of the papers in the corpus."""
    CITED = "cited"
    """Papers that the clause cites."""
    CONJECTURE = "conjecture"
    """Nothing: the clause is a guess."""


@dataclass(frozen=True, slots=True)
class HypothesisClause:
    """A sentence in the statement of a hypothesis."""

    text: str
    kind: ClauseKind
    paper_ids: tuple[str, ...] = ()
    """Papers that the clause cites."""
    verdict: Verdict | None = None
    """Verdict of the ledger on a clause that a chat model wrote and cited."""

    @property
    def is_borne_out(self) -> bool:
        """False if the papers that the clause cites do not say what it says."""
        return self.verdict not in (Verdict.NOT_FOUND, Verdict.CONTRADICTED)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Two concepts that are never keywords of the same paper, although both appear with the same other concepts.

    No paper with one of them among its keywords mentions the other in its title or abstract; no other text was read.
    """

    concepts: tuple[str, str]
    """Names of both concepts, as the papers write them."""
    n_papers: tuple[int, int]
    """Number of papers with each concept."""
    n_shared: int
    """Number of concepts that occur with both in more papers than chance would explain."""
    q: float
    """Lowest false discovery rate at which sharing this many concepts is significant, [0, 1]."""
    score: float
    """Sum over the shared concepts of 1 / log(number of concepts associated with that concept) (Adamic & Adar 2003),
    times the logarithm of the product of the two numbers in `n_papers`.
    """
    linking: tuple[LinkingConcept, ...]
    """Some of the shared concepts, beginning with those that occur with each of the two concepts in the most papers."""
    clauses: tuple[HypothesisClause, ...]
    """The statement."""
    places: tuple[ConceptPlace, ConceptPlace] | None = None
    """Places of both concepts; `None` without a map."""
    bridges: tuple[Paper, ...] = ()
    """Papers that have one of the two concepts and are marked in the layer of bridges."""
    model: str | None = None
    """Chat model that wrote the statement; `None` for the template."""
    notes: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    """Calls to the chat model."""
    status: StageStatus | None = None
    """Outcome of the chat model's attempt to write the statement, with the reason if it failed; `None` if no model was
    asked.
    """

    @property
    def is_in_gap(self) -> bool:
        """True if the region of either concept is a gap in the map."""
        return self.places is not None and any(place.is_gap for place in self.places)


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The hypotheses found for a corpus, a question or some papers."""

    about: str | None
    """The question, or a description of the papers; `None` for the whole corpus."""
    n_papers: int
    """Number of papers in the corpus."""
    n_concepts: int
    """Number of concepts that were compared."""
    n_unlinked: int
    """Number of pairs that are never keywords of the same paper and that share at least one concept."""
    n_significant: int
    """Number of these pairs that share more concepts than chance would explain."""
    hypotheses: tuple[Hypothesis, ...]
    """The hypotheses, highest score first."""
    notes: tuple[str, ...] = ()
    """Anything that is missing, with the reason."""


@dataclass(frozen=True, slots=True)
class BacktestShare:
    """Share of the first pairs in a ranking that occurred together in a title from the following years."""

    ranking: str
    n: int
    """Number of pairs, counted from the top of the ranking."""
    n_true: int
    low: float
    high: float
    """95% interval of the share, [0, 1]."""


@dataclass(frozen=True, slots=True)
class BacktestYear:
    """Pairs of concepts that had never occurred together in a title by a given year, and the share that later did."""

    year: int
    n_titles: int
    n_pairs: int
    """Number of pairs of concepts that had never occurred together in a title by that year."""
    random: float
    """Share of these pairs that occurred together in a title from the following years, [0, 1]."""
    shares: tuple[BacktestShare, ...]


@dataclass(frozen=True, slots=True)
class HypothesisBacktest:
    """Result of `benchmarks/hypotheses.py`."""

    titles: str
    """Description of the titles used for the backtest."""
    years_ahead: int
    years: tuple[BacktestYear, ...]


BUDGET_TOKENS = 20_000
MAX_REPLY_TOKENS = 2_000
MAX_CLAUSES, MAX_TEXT = 8, 500


@dataclass(frozen=True)
class _ClauseReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    text: Annotated[str, Field(max_length=MAX_TEXT)]
    keys: tuple[str, ...] = ()


@dataclass(frozen=True)
class _StatementReply:
    __pydantic_config__ = ConfigDict(extra="forbid")

    clauses: tuple[_ClauseReply, ...]


def write_statement(hypothesis: Hypothesis, chat: ChatModel, embedder: Embedder | None) -> Hypothesis:
    """Let the chat model write the statement from the papers on both sides.

    A clause that names none of the papers that the model was shown is a conjecture; the ledger judges every other
    clause. If the model fails, the statement stays as it was, and a note gives the reason.
    """
    papers = tuple({side.paper.paper_id: side.paper for each in hypothesis.linking for side in each.papers}.values())
    try:
        clauses = _read(hypothesis, papers, chat, embedder)
    except REFUSALS as error:
        status = StageStatus("hypothesis", None, StageOutcome.SUBSTITUTED, in_brief(error, chat.name))
        return replace(hypothesis, notes=(f"the chat model wrote no statement: {error}",), status=status)
    status = StageStatus("hypothesis", chat.name, StageOutcome.RAN)
    return replace(hypothesis, clauses=clauses, model=chat.name, notes=(), status=status)


def _read(
    hypothesis: Hypothesis, papers: tuple[Paper, ...], chat: ChatModel, embedder: Embedder | None
) -> tuple[HypothesisClause, ...]:
    first, second = map(source_text, hypothesis.concepts)
    registry = CitationRegistry(f"{first}; {second}", papers)
    sources = as_sources(registry, papers, room_for_sources(BUDGET_TOKENS, Chat.of(chat).context_tokens))
    papers = tuple(paper for paper in papers if paper not in sources.left_out)
    prompt = render(
        "hypothesis",
        sources=sources.text,
        n=str(len(papers)),
        first=first,
        second=second,
        linking="; ".join(source_text(each.name) for each in hypothesis.linking),
    )
    system = render("hypothesis_system")
    reply = complete(chat, system, prompt, temperature=0.0, max_tokens=MAX_REPLY_TOKENS, form=_StatementReply)
    clauses = [clause for clause in parse_json(reply, _StatementReply, chat).clauses if clause.text.strip()]
    if not 1 <= len(clauses) <= MAX_CLAUSES:
        raise unreadable(reply, f"it has {len(clauses)} clauses, not 1 to {MAX_CLAUSES}", chat)
    by_key = {registry.key(paper.paper_id): paper for paper in papers}
    return tuple(_clause(clause, by_key, embedder) for clause in clauses)


def _clause(reply: _ClauseReply, by_key: dict[str, Paper], embedder: Embedder | None) -> HypothesisClause:
    text = " ".join(reply.text.split())
    cited_papers = [by_key[key] for key in dict.fromkeys(reply.keys) if key in by_key]
    if not cited_papers:
        return HypothesisClause(text, ClauseKind.CONJECTURE)
    ids = tuple(paper.paper_id for paper in cited_papers)
    sentence = text if text.endswith((".", "!", "?")) else f"{text}."
    (checked_sentence,) = ledger_of([Claim(sentence, ids)], cited_papers, embedder).sentences
    return HypothesisClause(text, ClauseKind.CITED, ids, checked_sentence.verdict)


def write_hypothesis(pf: "Pathfinder", hypothesis: Hypothesis) -> Hypothesis:
    """Let the chat model write the statement of `hypothesis`: each clause is cited and checked by the ledger, or
    marked as a conjecture.

    Raises a `ProviderError` if there is no chat model; if the model fails, the statement stays as it was, with a
    note.
    """

    chat = pf.metered_chat("hypothesis")
    if chat is None:
        raise ProviderError("only a chat model can write this statement, and none is set: set PATHFINDER_CHAT_MODEL")
    statement = write_statement(hypothesis, chat, pf.sentence_embedder)
    return replace(statement, calls=finalise_calls(chat))
