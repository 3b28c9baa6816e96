"""The facade: the interface used by notebooks, pages and the command line."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from copy import copy
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pathfinder.assessment.outliers import OutlierCalibration
from pathfinder.assessment.relevance import RelevanceModel
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.errors import CorpusDamaged, CorpusError, UsageError
from pathfinder.llm.reply_cache import ReplyCache
from pathfinder.llm.streams import drain
from pathfinder.llm.usage import BudgetTracker, CallLog, Prices, UsagePolicy
from pathfinder.models.loading import load_chat, load_embedder, load_reranker, load_usage_policy
from pathfinder.models.ports import ChatModel, Embedder, Reranker
from pathfinder.profile import Profile
from pathfinder.retrieval.models import Models
from pathfinder.settings import Settings
from pathfinder.types import (
    LOCAL_RERANKER,
    Answer,
    AnswerEvent,
    AnswerRequest,
    Audience,
    Budget,
    Call,
    Consensus,
    ConsensusHistory,
    Done,
    Generation,
    Likeness,
    Rewrite,
    SearchRequest,
    SearchResult,
    Step,
    Trace,
    Weighting,
)
from pathfinder.types.consensus import N_PAPERS

if TYPE_CHECKING:
    from pathfinder.answering.modes.agent.replay import Replay
    from pathfinder.answering.session import Branch
    from pathfinder.assessment.consensus.local.scorer import Guess
    from pathfinder.landscape.data.atlas import Atlas
    from pathfinder.landscape.data.landscape import Landscape
    from pathfinder.landscape.data.layer import Layer, LayerInfo, UnavailableLayer
    from pathfinder.landscape.data.map_data import MapData
    from pathfinder.llm.metered import MeteredChat
    from pathfinder.retrieval.routing.follow_up import StandaloneQuestion
    from pathfinder.retrieval.routing.route import Route

Parsed = TypeVar("Parsed")

PREPARATION = ("follow-up", "route", "search")
"""Operations whose calls are charged to the budget of the answer that they prepare."""

N_RERANKERS = 2
"""Number of rerankers kept in memory, so that two settings can be compared side by side."""


class CorpusSession:
    """An open corpus with the models that read it."""

    def __init__(
        self,
        corpus: Corpus,
        embedder: Embedder,
        extractor: KeywordExtractor,
        chat: ChatModel | None = None,
        load_reranker: Callable[[str], Reranker] | None = None,
        terms: UsagePolicy | None = None,
    ) -> None:
        corpus.check_embedder(embedder)
        self.corpus = corpus
        self.embedder = embedder
        self.chat, self.policy = chat, terms or UsagePolicy(cache=ReplyCache())
        self.budget: Budget | None = None
        self.call_log: CallLog | None = None
        self.models = Models(embedder, extractor, chat, load_reranker)
        self._calibration = _parsed(corpus, "outliers", OutlierCalibration.from_json)
        self._relevance = _parsed(corpus, "relevance", RelevanceModel.from_json)

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        chat: ChatModel | None = None,
    ) -> Self:
        """Open the corpus in `folder` with the embedder that built it, and with the chat model of `settings`, if any.

        Raises `CorpusError` if the folder is not a complete corpus, and `ModelError` if its embedder is not installed.
        """
        settings = settings or Settings()
        corpus = open_corpus(Path(folder))
        embedder = embedder or load_embedder(corpus.manifest.embedder, settings)
        rerankers = lru_cache(N_RERANKERS)(partial(load_reranker, settings=settings))
        chat = chat or load_chat(settings)
        return cls(corpus, embedder, KeywordExtractor.load(), chat, rerankers, load_usage_policy(settings))

    @property
    def profile(self) -> Profile:
        """Profile of the corpus's field."""
        return self.corpus.profile

    @cached_property
    def landscape(self) -> "Landscape | None":
        """The map of the corpus; `None` if the corpus is too small to have one."""
        from pathfinder.landscape.data.landscape import open_landscape

        folder = self.corpus.path("landscape")
        return None if folder is None else open_landscape(folder)

    @cached_property
    def atlas(self) -> "Atlas | None":
        """The drawn parts of the map; `None` if there are none: `corpus.absent["atlas"]` says how to get them."""
        from pathfinder.landscape.data.atlas_files import open_atlas

        folder = self.corpus.path("atlas")
        return None if folder is None else open_atlas(folder)

    @cached_property
    def map_data(self) -> "MapData | None":
        """Positions, years and papers of the map, from which layers are computed; `None` if there is no map."""
        from pathfinder.landscape.data.map_data import map_data_of

        return None if self.landscape is None else map_data_of(self.corpus, self.landscape)

    @cached_property
    def drawn_map(self) -> "MapData":
        """`map_data` with the drawn parts (tiles, names, peaks) too, for pictures and cards. Raises `CorpusError` for a
        corpus without a map.
        """
        map_data, atlas = self.map_data, self.atlas
        if map_data is None or atlas is None:
            missing = "landscape" if map_data is None else "atlas"
            raise CorpusError(f"this corpus has no map to draw: {self.corpus.absent.get(missing, 'build it again')}")
        return replace(map_data, opened_atlas=atlas)

    @property
    def survey(self) -> "MapData | None":
        """Alias of `map_data`, under its name in 0.1.0."""
        return self.map_data

    @property
    def chart(self) -> "MapData":
        """Alias of `drawn_map`, under its name in 0.1.0."""
        return self.drawn_map

    def with_chat(self, chat: ChatModel | None, prices: Prices | None = None) -> Self:
        """Return the same open corpus with another chat model, or with none; this is how a reader's own key is used.

        Its replies are cached separately from those of any other model, and the former model's prices are dropped.
        """
        other = copy(self)
        other.chat, other.models = chat, replace(self.models, chat=chat)
        other.policy = replace(self.policy, prices=prices, cache=ReplyCache())
        return other

    def for_question(self, budget: Budget | None = None, calls: CallLog | None = None) -> Self:
        """Return the same open corpus for one question, whose operations share one budget and one log of calls.

        Follow-up, routing, query expansion, answers, consensus and rewrites all draw on the same `budget`, and what a
        failed or stopped operation has used stays used; without a `budget`, each answer's own budget is charged for the
        operations that prepared it. `calls` collects every call, including failed and stopped ones.
        """
        other = copy(self)
        other.budget, other.call_log = budget, calls or CallLog()
        return other

    def _metered(
        self, purpose: str, budget: Budget | None = None, earlier: Sequence[Call] = ()
    ) -> "MeteredChat | None":
        """Return the chat model for one operation, if there is one; `finalise_calls` ends the operation.

        `earlier` are calls already made for the question, if no log has them.
        """
        from pathfinder.llm.field_words import speaking_of
        from pathfinder.llm.metered import MeteredChat

        if self.chat is None:
            return None
        log = self.call_log or CallLog(earlier)
        chat = speaking_of(self.profile.field, self.chat)
        tracker = BudgetTracker(
            self.policy,
            self.budget or budget,
            log=log,
            is_preparation=purpose in PREPARATION,
            is_shared=self.budget is not None,
        )
        return MeteredChat(chat, purpose, tracker)


class Pathfinder(CorpusSession):
    """An open corpus, ready for questions. It stores nothing between questions, so it can be shared by threads.

    >>> pf = Pathfinder.open("build/landmarks")
    >>> result = pf.search("What is the value of the Hubble constant?", top_k=5)
    >>> print(pf.answer(result).text)
    """

    def search(self, question: str | SearchRequest, **fields: Any) -> SearchResult:
        """Find and rank papers. `fields` are those of `SearchRequest`: `pf.search("...", top_k=5, year_from=2020)`."""
        from pathfinder.llm.metered import finalise_calls

        chat = self._metered("search")
        result = self._search(_request(question, fields), chat)
        return replace(result, calls=finalise_calls(chat))

    def _search(self, request: SearchRequest, chat: ChatModel | None) -> SearchResult:
        from pathfinder.retrieval.similar import similar
        from pathfinder.retrieval.strategies.dispatch import dispatch_search

        models = replace(self.models, chat=chat)
        if request.likeness is not None:
            landscape = self.landscape if request.likeness.place else None
            return similar(request, self.corpus, models, landscape.coordinates if landscape else None)
        return self._assessed(dispatch_search(request, self.corpus, models))

    def similar(
        self,
        *more: str,
        less: Sequence[str] = (),
        text: str | None = None,
        place: tuple[float, float] | None = None,
        **fields: Any,
    ) -> SearchResult:
        """Find papers that resemble the papers `more`, a pasted `text` or the papers at `place` on the map, and differ
        from `less`.

        `fields` are those of `SearchRequest`: `pf.similar("riess-2022", less=["hubble-1929"], top_k=5)`. The given
        papers themselves are left out. Relevance is not judged: the result has no assessment.
        """
        from pathfinder.retrieval.likeness import describe

        likeness = Likeness(more, tuple(less), text, place)
        return self.search(describe(likeness, self.corpus.papers), likeness=likeness, **fields)

    def reweigh(self, result: SearchResult, weighting: Weighting) -> SearchResult:
        """Reorder the candidates of `result` with another weighting, without using a model or an index."""
        from pathfinder.retrieval.weighting import reweigh

        return self._assessed(reweigh(result, weighting))

    def route(self, result: SearchResult, reranker: str = LOCAL_RERANKER) -> "Route":
        """Classify the question of `result`, with the chat model or by rules, and recommend settings for it.

        `reranker` is the reranker named in suggestions. Nothing is applied here; `table1.apply` does that.
        """
        from pathfinder.llm.metered import finalise_calls
        from pathfinder.retrieval.routing.route import route

        chat = self._metered("route", earlier=result.calls)
        routed = route(result.request.query, result.keywords, chat, reranker, self.profile)
        return replace(routed, calls=finalise_calls(chat))

    def follow_up(self, history: Sequence[str], follow_up: str) -> "StandaloneQuestion":
        """Rewrite a follow-up as a standalone question, which can be shown before it is searched."""
        from pathfinder.llm.metered import finalise_calls
        from pathfinder.retrieval.routing.follow_up import standalone_question

        chat = self._metered("follow-up")
        standalone = standalone_question(history, follow_up, chat)
        return replace(standalone, calls=finalise_calls(chat))

    def answer(self, result: SearchResult, request: AnswerRequest | None = None, **fields: Any) -> Answer:
        """Answer the question of `result` from its hits, citing papers for each sentence.

        `fields` are those of `AnswerRequest`: `pf.answer(result, generation=Generation.AGENT)`.
        """
        return drain(self.stream_answer(result, request, **fields))

    def stream_answer(
        self, result: SearchResult, request: AnswerRequest | None = None, **fields: Any
    ) -> Generator[str | Step, None, Answer]:
        """Like `answer`, but yield words and steps as they come; the generator's return value is the checked answer."""
        from pathfinder.answering.answer import words_and_steps

        return words_and_steps(self.stream_events(result, request, **fields))

    def stream_events(
        self, result: SearchResult, request: AnswerRequest | None = None, **fields: Any
    ) -> Generator[AnswerEvent, None, None]:
        """Like `answer`, but yield typed events: text, steps, notes and, at the end, the checked answer as `Done`."""
        return self._events(result, _answer_request(request, fields))

    def resume(
        self, trace: Trace, result: SearchResult, place: int, step: Step, request: AnswerRequest | None = None
    ) -> Answer:
        """Repeat an agent's `trace` up to `place`, counted from 0, put `step` there, and let the agent continue.

        Raises `UsageError` for a step from which no run can continue, or for a trace of a question other than
        `result`'s.
        """
        return drain(self.stream_resume(trace, result, place, step, request))

    def stream_resume(
        self, trace: Trace, result: SearchResult, place: int, step: Step, request: AnswerRequest | None = None
    ) -> Generator[str | Step, None, Answer]:
        """Like `resume`, but yield words and steps as they arrive, the repeated ones first."""
        from pathfinder.answering.answer import words_and_steps
        from pathfinder.answering.modes.agent.replay import branched

        branch = branched(trace, result, place, step)
        request = replace(request or AnswerRequest(), generation=Generation.AGENT)
        return words_and_steps(self._events(result, request, branch))

    def replay(self, trace: Trace, result: SearchResult) -> "Replay":
        """Repeat every action of an agent's `trace` and report differences; the model's words come from the trace."""
        from pathfinder.answering.modes.agent.replay import replay
        from pathfinder.answering.session import AnswerContext

        return replay(trace, result, AnswerContext(self.embedder, None, self.search, profile=self.profile))

    def _events(
        self, result: SearchResult, request: AnswerRequest, branch: "Branch | None" = None
    ) -> Generator[AnswerEvent, None, None]:
        from pathfinder.answering.answer import stream_events
        from pathfinder.answering.session import AnswerContext
        from pathfinder.llm.metered import finalise_calls

        chat = self._metered("answer", request.budget, result.calls)
        context = AnswerContext(
            self.embedder,
            chat,
            self._search_with(chat),
            branch=branch,
            profile=self.profile,
            tokens=self.corpus.tokens,
        )
        with closing(stream_events(result, request, context)) as events:
            for event in events:
                yield Done(replace(event.answer, calls=finalise_calls(chat))) if isinstance(event, Done) else event

    def rewrite(self, answer: Answer, audience: Audience | None = None, language: str | None = None) -> Rewrite:
        """Rewrite `answer` for another audience or in another language, and list the facts that were lost or added.

        Raises a `ProviderError` without a chat model, and `UsageError` if there is no answer to rewrite.
        """
        return drain(self.stream_rewrite(answer, audience, language))

    def stream_rewrite(
        self, answer: Answer, audience: Audience | None = None, language: str | None = None
    ) -> Generator[str, None, Rewrite]:
        """Like `rewrite`, but yield the words as they arrive."""
        from pathfinder.answering.audience import stream_rewrite
        from pathfinder.llm.metered import finalise_calls

        chat = self._metered("rewrite")
        rewrite = yield from stream_rewrite(answer, chat, audience, language)
        return replace(rewrite, calls=finalise_calls(chat))

    def consensus(self, result: SearchResult, *, as_of: int | None = None) -> Consensus:
        """Measure how far the papers of `result` agree with its question, read as a statement, and quote a sentence
        from each.

        With `as_of`, a year, the same search is repeated without papers from later years. Raises a `ProviderError`
        without a chat model, and if its reply cannot be read.
        """
        return drain(self.stream_consensus(result, as_of=as_of))

    def stream_consensus(self, result: SearchResult, *, as_of: int | None = None) -> Generator[str, None, Consensus]:
        """Like `consensus`, but yield descriptions of its progress."""
        from pathfinder.assessment.consensus.consensus import consensus
        from pathfinder.llm.metered import finalise_calls

        chat = self._metered("consensus", earlier=result.calls)
        judged = yield from consensus(result, chat, self._search_with(chat), as_of)
        return replace(judged, calls=finalise_calls(chat))

    def consensus_over_time(
        self,
        result: SearchResult,
        *,
        known: Consensus | None = None,
        n_papers: int = N_PAPERS,
        as_of: int | None = None,
    ) -> ConsensusHistory:
        """Measure year by year how far the best `n_papers` matches of `result`, listed or not, agree, and when that
        changed.

        `known` is a consensus on the same result, whose papers are not judged again. Raises the same errors as
        `consensus`.
        """
        return drain(self.stream_consensus_over_time(result, known=known, n_papers=n_papers, as_of=as_of))

    def stream_consensus_over_time(
        self,
        result: SearchResult,
        *,
        known: Consensus | None = None,
        n_papers: int = N_PAPERS,
        as_of: int | None = None,
    ) -> Generator[str, None, ConsensusHistory]:
        """Like `consensus_over_time`, but yield descriptions of its progress."""
        from pathfinder.assessment.consensus.history import consensus_over_time
        from pathfinder.llm.metered import finalise_calls

        chat = self._metered("consensus", earlier=result.calls)
        search = self._search_with(chat)
        judged = yield from consensus_over_time(result, chat, search, known=known, n_papers=n_papers, as_of=as_of)
        return replace(judged, calls=finalise_calls(chat))

    def guess_stances(self, result: SearchResult, statement: str) -> "tuple[Guess, ...]":
        """Guess, without a chat model, the stance of each hit of `result` on `statement`; no consensus level is derived
        from it.

        Raises `UsageError` for an embedder that the guess was not fitted for.
        """
        from pathfinder.assessment.consensus.local.scorer import guess_stances

        return guess_stances(statement, [hit.paper for hit in result.hits], self.embedder, self.corpus.sparse)

    def layers(self) -> "tuple[LayerInfo | UnavailableLayer, ...]":
        """List the layers available for the map, and the unavailable ones, with the reason and the way to get them."""
        from pathfinder.landscape.layers.registry import list_layers

        return list_layers(self.map_data) if self.map_data else (self._no_map("map"),)

    def layer(self, slug: str, years: tuple[int | None, int | None] | None = None) -> "Layer | UnavailableLayer":
        """Read or compute a layer of the map, such as "growth", "mission:jwst", "topic:galaxies" or "author:Riess, A".

        Layers without options were computed when the corpus was built; the others are computed on request, for `years`
        (both inclusive) if they depend on years. Raises `UsageError` for an unknown slug.
        """
        from pathfinder.landscape.layers.registry import layer

        return layer(self.map_data, slug, years) if self.map_data else self._no_map(slug)

    def found_layer(self, result: SearchResult) -> "Layer | UnavailableLayer":
        """Show the hits of `result` on the map, with their ranks, and mark the outliers among them."""
        from pathfinder.landscape.layers.shelf import found_layer

        return found_layer(self.map_data, result) if self.map_data else self._no_map("found")

    def _no_map(self, slug: str) -> "UnavailableLayer":
        from pathfinder.landscape.data.layer import UnavailableLayer

        return UnavailableLayer(slug, "The map", self.corpus.absent.get("landscape", "this corpus has no map"))

    def _search_with(self, chat: "MeteredChat | None") -> Callable[[SearchRequest], SearchResult]:
        """Return the function that searches as part of an operation in progress, under its budget."""
        return partial(self._search, chat=chat and chat.for_purpose("search"))

    def _assessed(self, result: SearchResult) -> SearchResult:
        if result.request.likeness is not None:
            return result
        from pathfinder.assessment.assess import assess

        return assess(result, self.corpus.sparse, self._calibration, self._relevance)


def _answer_request(request: AnswerRequest | None, fields: dict[str, Any]) -> AnswerRequest:
    unknown = set(fields) - set(AnswerRequest.__dataclass_fields__)
    if unknown:
        raise UsageError(f"an answer has no setting {', '.join(sorted(unknown))}: see AnswerRequest")
    return replace(request or AnswerRequest(), **fields)


def _request(question: str | SearchRequest, fields: dict[str, Any]) -> SearchRequest:
    unknown = set(fields) - set(SearchRequest.__dataclass_fields__)
    if unknown:
        raise UsageError(f"a search has no setting {', '.join(sorted(unknown))}: see SearchRequest")
    if isinstance(question, SearchRequest):
        return replace(question, **fields)
    return SearchRequest(question, **fields)


def _parsed(corpus: Corpus, role: str, parse: Callable[[bytes], Parsed]) -> Parsed:
    """Read one part of the corpus; a `CorpusDamaged` error names the file."""
    try:
        return parse(corpus.read(role))
    except CorpusDamaged as error:
        raise CorpusDamaged(f"{corpus.path(role)}: {error}") from error
