"""The session of one answer: everything that an answer mode works with, and the progress of the answer."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TypeVar

from pathfinder.answering.digest.digest import Quotation, quote
from pathfinder.answering.digest.form import choose_form
from pathfinder.answering.digest.values import values_of_papers
from pathfinder.answering.grounding.citations import number_citations
from pathfinder.answering.grounding.readings import Readings
from pathfinder.answering.grounding.sources import (
    BUDGET_TOKENS,
    CitationRegistry,
    Sources,
    as_conversation,
    as_sources,
    earlier_papers,
    room_for_sources,
)
from pathfinder.answering.session.draft import AnswerStream, DraftAnswer
from pathfinder.errors import PathfinderError, ProviderError
from pathfinder.index.full_texts import FullTextIndex
from pathfinder.index.ports import TokenSource
from pathfinder.llm.chat import Chat, complete, empty_reply
from pathfinder.llm.stopping import RecordedStream, StoppablePool
from pathfinder.llm.usage import BudgetTracker
from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.profile import Profile, astronomy
from pathfinder.retrieval.authors.persons import STAGE as PERSON
from pathfinder.retrieval.earliest import STAGE as EARLIEST
from pathfinder.text.languages import languages_of
from pathfinder.types import (
    AnswerRequest,
    Call,
    DigestForm,
    Ended,
    FullTextPassage,
    Hit,
    LiveSource,
    Paper,
    Passage,
    SearchRequest,
    SearchResult,
    StageOutcome,
    Step,
    StepKind,
    StepTaken,
    TextDelta,
    Trace,
)


@dataclass(frozen=True, slots=True)
class Branch:
    """Point from which an earlier run of the agent is continued."""

    steps: tuple[Step, ...]
    """Steps so far, the last of them as edited by the reader."""
    place: int
    """Position of the edited step, counted from 0."""


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """Everything that is needed to write an answer. Each search uses the reader's own settings."""

    embedder: Embedder
    chat: ChatModel | None
    search: Callable[[SearchRequest], SearchResult]
    clock: Callable[[], float] = perf_counter
    """Clock for budgets, in seconds."""
    branch: Branch | None = None
    """Point from which the agent continues an earlier run; `None` for a new run."""
    profile: Profile = field(default_factory=astronomy)
    """Profile of the corpus's field."""
    tokens: TokenSource | None = None
    """Token vectors of the corpus; `None` if it has none."""
    full_texts: FullTextIndex | None = None
    """Full-text passages of the corpus; `None` if it has none."""

    def with_budget(self, request: AnswerRequest) -> "AnswerContext":
        """Return this context with the chat model limited by the request's budget, unless it is limited already."""
        if self.chat is None or (chat := Chat.of(self.chat)).meter:
            return self
        return replace(self, chat=chat.metered("answer", BudgetTracker(None, request.budget, self.clock)))


OVERRUN_SECONDS = 30.0
"""Maximum time in seconds by which a reply may overrun the budget, in modes that allow it."""

_LIVE_STAGES = frozenset(source.stage for source in LiveSource)
MOST_READ = 100
"""Number of top-ranked papers from a search that are read for values; those ranked lower are unlikely to be about the
question.
"""

# Logs the steps of one answer as they are taken, and what each search found.

SEARCH = "search"
"""Name of the tool in an action that searches."""


class StepLog:
    """A log of steps in order, notes for the reader, and the reason why the run ended."""

    def __init__(self, question: str, generation: str) -> None:
        self._question, self._generation = question, generation
        self._steps: list[Step] = []
        self.notes: list[str] = []
        self.end_reason: Ended | None = None
        """The latest reason for ending the run; `None` for a run that gave an answer."""

    def add(
        self, kind: StepKind, text: str, paper_ids: tuple[str, ...] = (), *, seconds: float | None = None
    ) -> StepTaken:
        """Add a step and return it, to be yielded; `seconds` is the time it took."""
        return self._add(Step(kind, text, paper_ids=paper_ids, seconds=seconds))

    def searching(self, query: str) -> StepTaken:
        """Log that a search has begun."""
        return self._add(Step(StepKind.ACTION, query, tool=SEARCH, arguments=(("query", query),)))

    def record_search(
        self, registry: CitationRegistry, papers: Sequence[Paper], remark: str, seconds: float
    ) -> StepTaken:
        """Log a `remark` and the papers that a search found, each with its position in `registry`."""
        places = {paper.paper_id: place for place, paper in enumerate(registry.papers, start=1)}
        lines = [remark, *(f"[{places[paper.paper_id]}] {_title_and_year(paper)}" for paper in papers)]
        return self.add(
            StepKind.OBSERVATION, "\n".join(lines), tuple(paper.paper_id for paper in papers), seconds=seconds
        )

    def notice(self, text: str, end_reason: Ended | None = None) -> StepTaken:
        """Log something that the reader should know, as a step and a note; `end_reason` is set if it ends the run."""
        self.notes.append(text)
        self.end_reason = end_reason or self.end_reason
        return self.add(StepKind.NOTICE, text)

    @property
    def trace(self) -> Trace:
        return Trace(self._question, self._generation, tuple(self._steps), self.end_reason or Ended.ANSWERED)

    def _add(self, step: Step) -> StepTaken:
        self._steps.append(step)
        return StepTaken(step)


def _title_and_year(paper: Paper) -> str:
    date = paper.published
    title = " ".join(paper.title.split())
    return title if date is None else f"{title} ({date.year})"


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
    def chat(self) -> Chat:
        """The chat model, limited by the budget of the question. Raises `ProviderError` if none is set."""
        if self.context.chat is None:
            raise ProviderError("no chat model is set: name one, or ask for an extractive answer")
        return Chat.of(self.context.chat)

    def sources(
        self,
        papers: Sequence[Paper],
        wanted_tokens: int = BUDGET_TOKENS,
        passages: Mapping[str, Sequence[Passage]] | None = None,
        registry: CitationRegistry | None = None,
        full_texts: Mapping[str, Sequence[FullTextPassage]] | None = None,
        *,
        keeps_room: bool = False,
    ) -> Sources:
        """Write `papers`, all of which must be in the registry, as sources for a prompt: at most `wanted_tokens`
        tokens, or fewer if the chat model cannot read that many. All of `full_texts` are included as far as they fit,
        or else the first passages found so far; with `keeps_room`, at the cost of abstracts.
        """
        room = room_for_sources(wanted_tokens, self.context_tokens)
        if full_texts is None:
            sources = as_sources(
                registry or self.registry, papers, room, passages, self.readings.passages, keeps_room=keeps_room
            )
        else:
            n_passages = sum(map(len, full_texts.values()))
            sources = as_sources(registry or self.registry, papers, room, passages, full_texts, n_passages)
        self.is_cut_to_fit |= room < wanted_tokens and bool(sources.left_out or sources.shortened_papers)
        return sources

    @property
    def context_tokens(self) -> int | None:
        """Number of tokens that the chat model reads and writes at once; `None` if it is not known."""
        return self.chat.context_tokens if self.context.chat else None

    @property
    def calls(self) -> tuple[Call, ...]:
        """Finished calls to the chat model for this answer; empty without a chat model."""
        return self.chat.calls if self.context.chat else ()

    @property
    def n_forged(self) -> int:
        """Number of forged sources, in the markup of real ones, that were removed from the chat model's replies."""
        return self.chat.tracker.n_forged if self.context.chat else 0

    @property
    def earlier(self) -> str:
        """The conversation so far, formatted for a prompt."""
        text = as_conversation(self.registry, self.request.earlier)
        return f"{text}\n\n" if text else ""

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
        asked_for = papers_asked_for(self.result)
        return quote(
            self.result.question if is_of_person(self.result) else self.result.words,
            asked_for or self.result.hits,
            self.context.embedder,
            self.request.form or (DigestForm.FINDINGS if is_of_person(self.result) else self._form_asked()),
            further,
            self.context.tokens,
            self.context.profile,
            self.readings,
            of_found=len(self.result.hits) if asked_for else None,
        )

    def _form_asked(self) -> DigestForm | None:
        """Return the form of a question in another language that asks for a value that papers state, where its English
        terms, one by one, do not ("wie weit ist ..." becomes "distance ..."), or the other way round: "come fanno ad
        avere tanta energia?" becomes "how energy".
        """
        asked = self.result.request.query
        if self.result.read_as is None or "English" in languages_of([asked]):
            return None
        read, own = (choose_form(text, None, self.context.profile).form for text in (self.result.words, asked))
        if (read is DigestForm.VALUES) == (own is DigestForm.VALUES):
            return None
        if own is not DigestForm.VALUES:
            return DigestForm.FINDINGS
        papers, further = (hit.paper for hit in self.result.hits), self.result.candidates.papers[:MOST_READ]
        return own if values_of_papers(self.result.words, papers, further, self.context.profile) else None

    def quote_hits(self, ran: str, reason: str, notes: tuple[str, ...] = ()) -> DraftAnswer:
        """Answer with sentences from the hits although something else was requested; `reason` says why."""
        quotation = self.quotation()
        sources = self.registry.with_papers(quotation.sources).papers
        return DraftAnswer.quoting(quotation, ran, reason, sources, notes)

    def spent(self, end_reason: Ended) -> AnswerStream:
        """Answer with sentences from the hits because the budget was spent before anything was written."""
        draft = self.quote_hits("extractive (budget spent)", end_reason.value)
        yield self.log.add(StepKind.FINAL, draft.text)
        return self.with_log(draft)

    def with_log(self, draft: DraftAnswer, notes: tuple[str, ...] = ()) -> DraftAnswer:
        """Add the notes from the log, `notes`, the sources and the trace to `draft`."""
        notes = (*self.log.notes, *draft.notes, *notes)
        return replace(draft, notes=notes, sources=self.registry.papers, trace=self.log.trace)


# Papers from a search that an answer may use, and the request for a search with another question.

NOTHING = "nothing in this corpus is relevant enough"


def with_query(query: str, request: SearchRequest) -> SearchRequest:
    """Return `request` with another `query`, keeping all of the reader's settings, such as years and weights.

    In a request for similar papers, the likeness is dropped, because `query` is a new question.
    """
    return replace(request, query=query, likeness=None)


def is_of_person(result: SearchResult) -> bool:
    """Return whether the question of `result` is the name of a person whose papers the search found."""
    return any(stage.name == PERSON for stage in result.stages)


def of_person(result: SearchResult) -> SearchResult:
    """Return `result` with only the papers by, or else about, the person whose name is the whole question; unchanged
    for any other question.
    """
    named = tuple(hit for hit in result.hits if hit.known_as is not None) if is_of_person(result) else ()
    return replace(result, hits=named) if named else result


def papers_asked_for(result: SearchResult) -> tuple[Hit, ...]:
    """Return the hits that are themselves what is asked for: papers by a person, or the earliest that claims
    what the question asks; none for most questions.
    """
    if is_of_person(result):
        return result.hits
    if not any(stage.name == EARLIEST for stage in result.stages) or result.candidates.lead is None:
        return ()
    first = set(result.candidates.rows[result.candidates.lead > 0].tolist())
    return tuple(hit for hit in result.hits[:1] if hit.row in first)


def relevant(result: SearchResult) -> tuple[Paper, ...]:
    """Return the papers of the hits, or none if the corpus has nothing relevant to the question."""
    if result.assessment is not None and not result.assessment.is_relevant:
        return ()
    return tuple(hit.paper for hit in result.hits)


def passages_of(result: SearchResult) -> dict[str, tuple[Passage, ...]]:
    """Return the passages of the hits by paper id."""
    return {hit.paper.paper_id: hit.passages for hit in result.hits}


def describe_papers(papers: Sequence[Paper], n_new: int) -> str:
    """Describe the papers that a search found; `n_new` is the number of `papers` not seen before."""
    if not papers:
        return NOTHING
    return f"{len(papers)} paper{'' if len(papers) == 1 else 's'}, {n_new} of them new"


# Runs independent calls concurrently in threads, and measures how long a call takes.

Value = TypeVar("Value")


@contextmanager
def side_by_side(n_threads: int, tracker: BudgetTracker) -> Iterator[StoppablePool]:
    """Run independent calls in threads. If the reader stops the answer, calls in progress are not waited for."""
    pool = StoppablePool(n_threads)
    try:
        yield pool
    except GeneratorExit:
        tracker.stop()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def time_call(clock: Callable[[], float], call: Callable[[], Value]) -> tuple[Value, float]:
    """Return the result of `call`, and the seconds it took as measured by `clock`."""
    start = clock()
    value = call()
    return value, clock() - start
