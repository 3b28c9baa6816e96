"""The session of one answer: everything that an answer mode works with, and the progress of the answer."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pathfinder.answering.digest.quotation import Quotation, quote
from pathfinder.answering.session.context import AnswerContext
from pathfinder.answering.session.draft import DraftAnswer
from pathfinder.answering.session.relevant_papers import describe_papers, relevant, with_query
from pathfinder.answering.session.steps import StepLog
from pathfinder.errors import PathfinderError, ProviderError
from pathfinder.grounding.citations import number_citations
from pathfinder.grounding.conversation import earlier_papers
from pathfinder.grounding.material import conversation
from pathfinder.grounding.readings import Readings
from pathfinder.grounding.registry import CitationRegistry
from pathfinder.grounding.sources import BUDGET_TOKENS, Sources, as_sources, room_for_sources
from pathfinder.llm.metered_chat import MeteredChat
from pathfinder.llm.replies import complete, context_of, empty_reply
from pathfinder.llm.streams import RecordedStream
from pathfinder.types import (
    AnswerRequest,
    Call,
    LiveSource,
    Paper,
    Passage,
    SearchRequest,
    SearchResult,
    StageOutcome,
    StepTaken,
    TextDelta,
)

OVERRUN_SECONDS = 30.0
"""Maximum time in seconds by which a reply may overrun the budget, in modes that allow it."""

_LIVE_STAGES = frozenset(source.stage for source in LiveSource)
MOST_READ = 100
"""Number of top-ranked papers from a search that are read for values; those ranked lower are unlikely to be about the
question.
"""


@dataclass(slots=True)
class AnswerSession:
    """One answer in progress. Each mode keeps its own state separately."""

    result: SearchResult
    """Result of the reader's own search."""
    request: AnswerRequest
    context: AnswerContext
    registry: CitationRegistry
    """Papers shown to the chat model so far, each under its key."""
    log: StepLog
    readings: Readings = field(default_factory=Readings)
    """Full-text passages found so far, which are read with the abstracts."""
    is_cut_to_fit: bool = False
    """True if papers were cut or left out because the chat model has a short context."""
    n_steps: int = 0
    """Steps of the budget used so far."""
    live_failures: list[str] = field(default_factory=list)
    """Reasons why live sources returned nothing in further searches; threads append to this list."""
    failure: PathfinderError | None = None
    """Error that prevented the chat model from answering."""

    @classmethod
    def begin(cls, result: SearchResult, request: AnswerRequest, context: AnswerContext) -> "AnswerSession":
        """Begin a session with the hits of `result` and the papers cited in earlier answers."""
        question = result.request.query
        hits = [hit.paper for hit in result.hits]
        registry = CitationRegistry(question).with_papers(hits).with_papers(earlier_papers(request.earlier))
        log = StepLog(question, str(request.generation))
        return cls(result, request, context.with_budget(request), registry, log, Readings().with_hits(result.hits))

    @property
    def question(self) -> str:
        """The question with titles in place of the identifiers of papers in the corpus."""
        return self.result.words if self.result.candidates.named_rows else self.result.request.query

    @property
    def chat(self) -> MeteredChat:
        """The chat model, limited by the budget of the question. Raises `ProviderError` if none is set."""
        if not isinstance(self.context.chat, MeteredChat):
            raise ProviderError("no chat model is set: name one, or ask for an extractive answer")
        return self.context.chat

    def sources(
        self,
        papers: Sequence[Paper],
        wanted_tokens: int = BUDGET_TOKENS,
        passages: Mapping[str, Sequence[Passage]] | None = None,
        registry: CitationRegistry | None = None,
    ) -> Sources:
        """Write `papers`, all of which must be in the registry, as sources for a prompt: at most `wanted_tokens`
        tokens, or fewer if the chat model cannot read that many.
        """
        room = room_for_sources(wanted_tokens, self.context_tokens)
        sources = as_sources(registry or self.registry, papers, room, passages, self.readings.passages)
        self.is_cut_to_fit |= room < wanted_tokens and bool(sources.left_out or sources.shortened_papers)
        return sources

    @property
    def context_tokens(self) -> int | None:
        """Number of tokens that the chat model reads and writes at once; `None` if it is not known."""
        return context_of(self.context.chat) if self.context.chat else None

    @property
    def calls(self) -> tuple[Call, ...]:
        """Finished calls to the chat model for this answer; empty without a chat model."""
        return self.context.chat.calls if isinstance(self.context.chat, MeteredChat) else ()

    @property
    def n_forged(self) -> int:
        """Number of forged sources, in the markup of real ones, that were removed from the chat model's replies."""
        return self.context.chat.tracker.n_forged if isinstance(self.context.chat, MeteredChat) else 0

    @property
    def earlier(self) -> str:
        """The conversation so far, formatted for a prompt."""
        return conversation(self.registry, self.request.earlier)

    @property
    def steps_left(self) -> int:
        return self.request.budget.steps - self.n_steps

    @property
    def overrun(self) -> float:
        """Seconds by which a reply that has begun may overrun the budget, in modes that allow it."""
        return min(OVERRUN_SECONDS, self.request.budget.seconds)

    def clock(self) -> float:
        return self.context.clock()

    def ask(
        self,
        system: str,
        prompt: str,
        *,
        share: float = 1.0,
        form: type | None = None,
        **settings: float | int | None,
    ) -> str:
        """Return the chat model's whole reply; `share` is the fraction of the budget that may be used, and `form` is
        the type into which the reply is to be parsed, if any.

        Raises `BudgetExhausted`, and `ProviderError` if the model fails or says nothing.
        """
        reply = complete(self.chat.within(share), system, prompt, form=form, **settings)  # type: ignore[arg-type]
        if not reply:
            raise empty_reply(self.chat.name)
        return reply

    def write(self, system: str, prompt: str) -> Generator[TextDelta, None, str]:
        """Yield the chat model's reply as it arrives; return it exactly as written. Raises the same errors as `ask`."""
        with RecordedStream(self.chat.stream(system, prompt)) as chunks:
            yield from self.deltas(chunks)
        text = "".join(chunks.items).strip()
        if not text:
            raise empty_reply(self.chat.name)
        return text

    def deltas(self, chunks: Iterable[str]) -> Iterator[TextDelta]:
        """Turn the chunks of a reply into text events, with [n] marks in place of keys."""
        return map(TextDelta, number_citations(chunks, self.registry))

    def search(self, question: str) -> SearchResult:
        """Search for `question` with the same years, weights and stages as for the reader's question."""
        return self.search_for(with_query(question, self.result.request))

    def search_for(self, request: SearchRequest) -> SearchResult:
        """Search, add the hits' full-text passages to those that are read, and remember why live sources failed."""
        result = self.context.search(request)
        self.readings = self.readings.with_hits(result.hits)
        for stage in result.stage_status:
            if stage.name in _LIVE_STAGES and stage.status is StageOutcome.FAILED and stage.reason:
                self.live_failures.append(stage.reason)
        return result

    def observe(self, result: SearchResult, seconds: float) -> StepTaken:
        """Register the relevant papers of `result`, and log them, with the number of new ones."""
        papers, n_before = relevant(result), len(self.registry.papers)
        self.registry = self.registry.with_papers(papers)
        summary = describe_papers(papers, len(self.registry.papers) - n_before)
        return self.log.record_search(self.registry, papers, f"{result.request.query}: {summary}", seconds)

    def quotation(self) -> Quotation:
        """Answer with quotations from the hits, and with the values stated by other papers that the search found."""
        further = self.result.candidates.papers[:MOST_READ]
        return quote(
            self.result.words,
            self.result.hits,
            self.context.embedder,
            self.request.form,
            further,
            self.context.tokens,
            self.context.profile,
            self.readings,
        )

    def quote_hits(self, ran: str, reason: str, notes: tuple[str, ...] = ()) -> DraftAnswer:
        """Answer with sentences from the hits although something else was requested; `reason` says why."""
        quotation = self.quotation()
        return DraftAnswer(
            quotation.text,
            quotation.claims,
            ran,
            not quotation.claims,
            notes,
            self.registry.with_papers(quotation.sources).papers,
            outcome=StageOutcome.SUBSTITUTED,
            reason=reason,
            digest=quotation.digest,
        )

    def with_log(self, draft: DraftAnswer, notes: tuple[str, ...] = ()) -> DraftAnswer:
        """Add the notes from the log, `notes`, the sources and the trace to `draft`."""
        notes = (*self.log.notes, *draft.notes, *notes)
        return replace(draft, notes=notes, sources=self.registry.papers, trace=self.log.trace)
