"""Pathfinder: searches, answers, rewrites, and consensus on an open corpus with its map."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Any, Self

from pathfinder.answering.assessment.assess import assess
from pathfinder.corpus.features import FeatureDictionary, find_feature, with_full_names
from pathfinder.errors import UsageError
from pathfinder.facade.open_corpus import OpenCorpus, is_repeatable
from pathfinder.index.file_maps import return_pages
from pathfinder.llm.chat import Chat, cache_replies_within_budget, finalise_calls
from pathfinder.llm.stopping import drain
from pathfinder.models.ports import ChatModel
from pathfinder.plugins import Registry
from pathfinder.types import (
    LOCAL_RERANKER,
    Answer,
    AnswerEvent,
    AnswerRequest,
    Audience,
    Consensus,
    ConsensusHistory,
    Done,
    Likeness,
    ModeName,
    Rewrite,
    SearchRequest,
    SearchResult,
    Step,
    StepTaken,
    TextDelta,
    Trace,
    Weighting,
)
from pathfinder.types.answers import by_field
from pathfinder.types.consensus import N_PAPERS
from pathfinder.types.features import ActivePaper, Feature, FeatureCard
from pathfinder.types.texts import check_length

if TYPE_CHECKING:
    from pathfinder.answering.assessment.consensus.local import Guess
    from pathfinder.answering.modes.agent.agent import Replay
    from pathfinder.answering.session.answer_session import Branch
    from pathfinder.landscape.data.landscape import Atlas, Landscape
    from pathfinder.landscape.data.layer import Layer, LayerInfo, UnavailableLayer
    from pathfinder.landscape.data.map_data import MapData
    from pathfinder.retrieval.routing.follow_up import StandaloneQuestion
    from pathfinder.retrieval.routing.route import Route


ADDED_METHODS: Registry[Any] = Registry("pathfinder.methods", (FunctionType, property), {}, "method")
"""Functions of an open corpus that add-ons and packages offer as methods, and properties of one."""


def _operations() -> Any:
    """Import the table of operations, which lies above and is found by its name, as add-ons are."""
    return import_module("pathfinder.operations")


class Pathfinder(OpenCorpus):
    """An open corpus, ready for questions. It stores nothing between questions, so it can be shared by threads.

    Add-ons and other packages add methods, such as `timeline`, and every operation without one of its name is a method,
    with the fields of its call: `pf.region(region="0,0;1,0;0,1")`. `dir` lists them too.

    >>> pf = Pathfinder.open("build/landmarks")
    >>> result = pf.search("What is the value of the Hubble constant?", top_k=5)
    >>> print(pf.answer(result).text)
    """

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or name not in {*ADDED_METHODS, *_operations().methods()}:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            if name in ADDED_METHODS:
                return ADDED_METHODS.get(name).__get__(self)
            return partial(_operations().run, self, _operations().methods()[name])

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *ADDED_METHODS, *_operations().methods()})

    def search(self, question: str | SearchRequest, **fields: Any) -> SearchResult:
        """Find and rank papers. `fields` are those of `SearchRequest`: `pf.search("...", top_k=5, year_from=2020)`."""
        request = request_of_fields(question, fields)
        request = replace(request, weighting=self.with_feature_names(request.weighting))
        if request.as_of not in (None, self.year):
            return self.as_of(request.as_of).search(request)
        self.moderate(request.query, request.likeness.text if request.likeness else None)
        version, searches = self.corpus.name.version, self.searches
        keeps = searches is not None and is_repeatable(request, has_chat=self.chat is not None)
        if searches is not None and keeps and (stored_result := searches.get(version, request)) is not None:
            return stored_result
        chat = self.metered_chat("search")
        result = replace(self._search(request, chat), calls=finalise_calls(chat))
        return_pages()
        if searches is not None and keeps:
            searches.store(version, request, result)
        return result

    def _search(self, request: SearchRequest, chat: ChatModel | None) -> SearchResult:
        from pathfinder.retrieval.similar import similar
        from pathfinder.retrieval.strategies import search_by_strategy

        models, request = replace(self.models, chat=chat), replace(request, as_of=self.year)
        if request.likeness is not None:
            landscape = self.landscape if request.likeness.place else None
            return similar(request, self.corpus, models, landscape.coordinates if landscape else None)
        if request.live:
            from pathfinder.facade.live import search_live

            return self._assess(search_live(request, self.corpus, models, self.live))
        return self._assess(search_by_strategy(request, self.corpus, models))

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

        likeness, own = Likeness(more, tuple(less), text, place), self.as_of(fields.get("as_of") or self.year)
        return own.search(describe(likeness, own.corpus.papers), likeness=likeness, **fields)

    def reweigh(self, result: SearchResult, weighting: Weighting) -> SearchResult:
        """Reorder the candidates of `result` with another weighting, without using a model or an index."""
        from pathfinder.retrieval.weighting import reweigh

        return self._assess(reweigh(result, self.with_feature_names(weighting)))

    def of(self, result: SearchResult) -> Self:
        """Return the same open corpus as of the year of `result`, so that nothing later is read for it."""
        return self.as_of(result.request.as_of)

    def _search_for(self, result: SearchResult, chat: Chat | None) -> Callable[[SearchRequest], SearchResult]:
        """Return the search function for an operation on `result`, under its budget and one time limit for live
        sources.
        """
        own = self.of(result).for_answer()
        return partial(Pathfinder._search, own, chat=chat and chat.for_purpose("search"))

    def _assess(self, result: SearchResult) -> SearchResult:
        if result.request.likeness is not None:
            return result
        return assess(result, self.of(result).corpus.sparse, self._calibration, self._relevance)

    def features(self) -> tuple[Feature, ...]:
        """List the features of the corpus: first those with names, then the others, each group by number of papers.
        Raises `UsageError` if it has none.
        """
        dictionary = self._dictionary()
        unnamed_features = (feature for feature in dictionary.features if not feature.is_named)
        return (*dictionary.named_features, *sorted(unnamed_features, key=lambda feature: -feature.n_papers))

    def feature_card(self, feature: Feature | str, n_papers: int = 10) -> FeatureCard:
        """Return the card of a feature, with the `n_papers` papers in which it is most active. The feature may be given
        as a `Feature`, by its name or by one of its phrases.

        Raises `UsageError`, which lists similar names, for a name that no feature of this corpus has.
        """
        from pathfinder.landscape.statistics.significance import middle

        dictionary = self._dictionary()
        if isinstance(feature, str):
            feature = find_feature(feature, dictionary.features)
        rows = dictionary.rows_of(feature)[:n_papers]
        strengths = (dictionary.strengths[rows] * (dictionary.numbers[rows] == feature.number)).max(axis=1)
        place = middle(self.map_data, rows) if self.map_data is not None and len(rows) else None
        papers = map(ActivePaper, self.corpus.papers.take(rows), map(float, strengths))
        return FeatureCard(feature, tuple(papers), place)

    def with_feature_names(self, weighting: Weighting) -> Weighting:
        """Return `weighting` with the full names of the features by which it steers. Raises `UsageError` for a feature
        that this corpus does not have.
        """
        return with_full_names(weighting, self._dictionary().features) if weighting.steers else weighting

    def _dictionary(self) -> FeatureDictionary:
        if self.corpus.features is None:
            raise UsageError(self.corpus.absent["features"])
        return self.corpus.features

    @property
    def landscape(self) -> "Landscape | None":
        """The map of the corpus; `None` if the corpus is too small to have one. The map as of a given year has the same
        frame as the whole map.
        """
        return self.view.landscape

    @property
    def atlas(self) -> "Atlas | None":
        """The drawn parts of the map; `None` if there are none: `corpus.absent["atlas"]` says how to get them.

        As of a given year, they are drawn from the papers up to that year.
        """
        return self.view.atlas

    @property
    def map_data(self) -> "MapData | None":
        """Positions, years and papers of the map, from which layers are computed; `None` if there is no map."""
        return self.view.map_data

    @property
    def drawn_map(self) -> "MapData":
        """`map_data` together with the drawn parts (tiles, names, peaks), for pictures and cards. Raises `CorpusError`
        for a corpus without a map.
        """
        return self.view.drawn_map

    @property
    def survey(self) -> "MapData | None":
        """Alias of `map_data`, under its name in 0.1.0."""
        return self.map_data

    @property
    def chart(self) -> "MapData":
        """Alias of `drawn_map`, under its name in 0.1.0."""
        return self.drawn_map

    def layers(self) -> "tuple[LayerInfo | UnavailableLayer, ...]":
        """List the layers that are available for the map and, with the reason and the way to get them, those that are
        not.
        """
        from pathfinder.landscape.layers.base import list_layers

        return list_layers(self.map_data) if self.map_data else (self._no_map("map"),)

    def layer(self, slug: str, years: tuple[int | None, int | None] | None = None) -> "Layer | UnavailableLayer":
        """Read or compute a layer of the map, such as "growth", "mission:jwst", "topic:galaxies" or "author:Riess, A".

        Layers without options were computed when the corpus was built; the others are computed on request, for `years`
        (both inclusive) if they depend on years. Raises `UsageError` for an unknown slug.
        """
        from pathfinder.landscape.layers.base import layer

        return layer(self.map_data, slug, years) if self.map_data else self._no_map(slug)

    def found_layer(self, result: SearchResult) -> "Layer | UnavailableLayer":
        """Show the hits of `result` on the map, with their ranks, and mark the outliers among them."""
        from pathfinder.landscape.layers.own_papers import found_layer

        map_data = self.of(result).map_data
        return found_layer(map_data, result) if map_data else self._no_map("found")

    def _no_map(self, slug: str) -> "UnavailableLayer":
        from pathfinder.landscape.data.layer import UnavailableLayer

        return UnavailableLayer(slug, "The map", self.corpus.absent.get("landscape", "this corpus has no map"))

    def route(self, result: SearchResult, reranker: str = LOCAL_RERANKER) -> "Route":
        """Classify the question of `result`, with the chat model or by rules, and recommend settings for it.

        `reranker` is the one to suggest if reranking is recommended. Nothing is applied here.
        """
        from pathfinder.retrieval.routing.route import route

        chat = self.metered_chat("route", earlier=result.calls)
        question_route = route(result.request.query, result.keywords, chat, reranker, self.profile)
        return replace(question_route, calls=finalise_calls(chat))

    def follow_up(self, history: Sequence[str], follow_up: str) -> "StandaloneQuestion":
        """Rewrite a follow-up as a standalone question, which can be shown before it is searched."""
        from pathfinder.retrieval.routing.follow_up import standalone_question

        check_length("the question", follow_up)
        self.moderate(follow_up)
        chat = self.metered_chat("follow-up")
        return replace(standalone_question(history, follow_up, chat), calls=finalise_calls(chat))

    def answer(self, result: SearchResult, request: AnswerRequest | None = None, **fields: Any) -> Answer:
        """Answer the question of `result` from its hits, citing papers for each sentence.

        `fields` are those of `AnswerRequest`, or `mode` and `style`: `pf.answer(result, mode=ModeName.AGENT)`.
        """
        return drain(self.stream_answer(result, request, **fields))

    def stream_answer(
        self, result: SearchResult, request: AnswerRequest | None = None, **fields: Any
    ) -> Generator[str | Step, None, Answer]:
        """Like `answer`, but yield words and steps as they arrive; the generator returns the checked answer."""
        return words_and_steps(self.stream_events(result, request, **fields))

    def stream_events(
        self, result: SearchResult, request: AnswerRequest | None = None, **fields: Any
    ) -> Generator[AnswerEvent, None, None]:
        """Like `answer`, but yield typed events: text, steps, notes and, at the end, the checked answer as `Done`."""
        request = replace(request or AnswerRequest(), **known_fields(by_field(fields), AnswerRequest, "an answer"))
        return self._events(result, request)

    def resume(
        self, trace: Trace, result: SearchResult, place: int, step: Step, request: AnswerRequest | None = None
    ) -> Answer:
        """Replay an agent's `trace` up to `place`, counted from 0, put `step` there, and let the agent continue.

        Raises `UsageError` for a step from which no run can continue, or for the trace of another question.
        """
        return drain(self.stream_resume(trace, result, place, step, request))

    def stream_resume(
        self, trace: Trace, result: SearchResult, place: int, step: Step, request: AnswerRequest | None = None
    ) -> Generator[str | Step, None, Answer]:
        """Like `resume`, but yield words and steps as they arrive, the replayed ones first."""
        from pathfinder.answering.modes.agent.agent import branch_off

        request = replace(request or AnswerRequest(), generation=ModeName.AGENT)
        return words_and_steps(self._events(result, request, branch_off(trace, result, place, step)))

    def replay(self, trace: Trace, result: SearchResult) -> "Replay":
        """Repeat every action of an agent's `trace` and report differences; the model's words come from the trace."""
        from pathfinder.answering.modes.agent.agent import replay
        from pathfinder.answering.session.answer_session import AnswerContext

        session = self.of(result)
        search, full_texts = session.for_answer().search, session.corpus.full_texts
        context = AnswerContext(self.sentence_embedder, None, search, profile=self.profile, full_texts=full_texts)
        return replay(trace, result, context)

    def _events(
        self, result: SearchResult, request: AnswerRequest, branch: "Branch | None" = None
    ) -> Generator[AnswerEvent, None, None]:
        from pathfinder.answering.answer import stream_events
        from pathfinder.answering.session.answer_session import AnswerContext

        chat = self.metered_chat("answer", request.budget, result.calls)
        context = AnswerContext(
            self.sentence_embedder,
            chat,
            self._search_for(result, chat),
            branch=branch,
            profile=self.profile,
            tokens=self.of(result).corpus.tokens,
            full_texts=self.of(result).corpus.full_texts,
        )
        with closing(stream_events(result, request, context)) as events:
            for event in events:
                yield Done(replace(event.answer, calls=finalise_calls(chat))) if isinstance(event, Done) else event

    def rewrite(self, answer: Answer, audience: Audience | None = None, language: str | None = None) -> Rewrite:
        """Rewrite `answer` for another audience or in another language, and list the facts that were lost or added.

        Raises a `ProviderError` if there is no chat model, and `UsageError` if there is no answer to rewrite.
        """
        return drain(self.stream_rewrite(answer, audience, language))

    def stream_rewrite(
        self, answer: Answer, audience: Audience | None = None, language: str | None = None
    ) -> Generator[str, None, Rewrite]:
        """Like `rewrite`, but yield the words as they arrive."""
        from pathfinder.answering.audience import stream_rewrite

        chat = self.metered_chat("rewrite")
        rewrite = yield from stream_rewrite(answer, chat, audience, language, profile=self.profile)
        return replace(rewrite, calls=finalise_calls(chat))

    def consensus(self, result: SearchResult, *, as_of: int | None = None) -> Consensus:
        """Measure how far the papers in `result` agree with its question, read as a statement, and quote a sentence
        from each.

        With `as_of`, a year, the same search is repeated without papers from later years. Raises a `ProviderError` if
        there is no chat model, or if its reply cannot be read.
        """
        return drain(self.stream_consensus(result, as_of=as_of))

    def stream_consensus(self, result: SearchResult, *, as_of: int | None = None) -> Generator[str, None, Consensus]:
        """Like `consensus`, but yield descriptions of its progress."""
        from pathfinder.answering.assessment.consensus.consensus import consensus

        chat = self.metered_chat("consensus", earlier=result.calls)
        with cache_replies_within_budget(chat):
            result_consensus = yield from consensus(result, chat, self._search_for(result, chat), as_of)
        return replace(result_consensus, calls=finalise_calls(chat))

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

        `known` is a consensus on the same result: its papers are not judged again. Raises the same errors as
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
        from pathfinder.answering.assessment.consensus.history import consensus_over_time

        chat = self.metered_chat("consensus", earlier=result.calls)
        search = self._search_for(result, chat)
        with cache_replies_within_budget(chat):
            with_years = yield from consensus_over_time(
                result, chat, search, consensus=known, n_papers=n_papers, as_of=as_of
            )
        return replace(with_years, calls=finalise_calls(chat))

    def guess_stances(self, result: SearchResult, statement: str) -> "tuple[Guess, ...]":
        """Guess, without a chat model, the stance of each hit of `result` on `statement`; no consensus level is derived
        from it.

        Raises `UsageError` if the guess was not fitted for the embedder.
        """
        from pathfinder.answering.assessment.consensus.local import guess_stances

        words = self.of(result).corpus.sparse
        return guess_stances(statement, [hit.paper for hit in result.hits], self.sentence_embedder, words)


def words_and_steps(events: Generator[AnswerEvent, None, None]) -> Generator[str | Step, None, Answer]:
    """Yield the words and steps in `events`, and return the finished answer."""
    with closing(events):
        for event in events:
            match event:
                case TextDelta(text):
                    yield text
                case StepTaken(step):
                    yield step
                case Done(answer):
                    return answer
    raise RuntimeError("the answer's events ended without Done")


def request_of_fields(question: str | SearchRequest, fields: dict[str, Any]) -> SearchRequest:
    """Return the request for `question` with its `fields` changed. Raises `UsageError` for an unknown field."""
    checked = known_fields(fields, SearchRequest, "a search")
    return replace(question, **checked) if isinstance(question, SearchRequest) else SearchRequest(question, **checked)


def known_fields(fields: dict[str, Any], kind: type[AnswerRequest | SearchRequest], noun: str) -> dict[str, Any]:
    """Return `fields`. Raises `UsageError` if one is not a field of the request class `kind`, which messages call
    `noun`.
    """
    if unknown := set(fields) - set(kind.__dataclass_fields__):
        raise UsageError(f"{noun} has no setting {', '.join(sorted(unknown))}: see {kind.__name__}")
    return fields
