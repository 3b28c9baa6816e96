"""Pathfinder: search, answers, rewrites and consensus on an open corpus with its map."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pathfinder.errors import UsageError
from pathfinder.llm.streams import drain
from pathfinder.models.ports import ChatModel
from pathfinder.session.draft_session import DraftSession
from pathfinder.session.search_cache import is_repeatable
from pathfinder.types import (
    LOCAL_RERANKER,
    Answer,
    AnswerEvent,
    AnswerRequest,
    Audience,
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
    from pathfinder.answering.session.context import Branch
    from pathfinder.assessment.consensus.local.scorer import Guess
    from pathfinder.llm.metered_chat import MeteredChat
    from pathfinder.retrieval.routing.follow_up import StandaloneQuestion
    from pathfinder.retrieval.routing.route import Route


class Pathfinder(DraftSession):
    """An open corpus, ready for questions. It stores nothing between questions, so it can be shared by threads.

    >>> pf = Pathfinder.open("build/landmarks")
    >>> result = pf.search("What is the value of the Hubble constant?", top_k=5)
    >>> print(pf.answer(result).text)
    """

    def search(self, question: str | SearchRequest, **fields: Any) -> SearchResult:
        """Find and rank papers. `fields` are those of `SearchRequest`: `pf.search("...", top_k=5, year_from=2020)`."""
        from pathfinder.index.file_maps import return_pages
        from pathfinder.llm.metered_chat import finalise_calls

        request = _request(question, fields)
        self._moderate(request.query, request.likeness.text if request.likeness else None)
        version, searches = self.corpus.name.version, self.searches
        keeps = searches is not None and is_repeatable(request, has_chat=self.chat is not None)
        if searches is not None and keeps and (repeated := searches.get(version, request)) is not None:
            return repeated
        chat = self._metered("search")
        result = replace(self._search(request, chat), calls=finalise_calls(chat))
        return_pages()
        if searches is not None and keeps:
            searches.store(version, request, result)
        return result

    def _search(self, request: SearchRequest, chat: ChatModel | None) -> SearchResult:
        from pathfinder.retrieval.similar import similar
        from pathfinder.retrieval.strategies.dispatch import dispatch_search

        models = replace(self.models, chat=chat)
        if request.likeness is not None:
            landscape = self.landscape if request.likeness.place else None
            return similar(request, self.corpus, models, landscape.coordinates if landscape else None)
        if request.live:
            from pathfinder.live import search_live

            return self._assessed(search_live(request, self.corpus, models, self.live))
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

        `reranker` is the one named in suggestions. Nothing is applied here; `table1.apply` does that.
        """
        from pathfinder.llm.metered_chat import finalise_calls
        from pathfinder.retrieval.routing.route import route

        chat = self._metered("route", earlier=result.calls)
        routed = route(result.request.query, result.keywords, chat, reranker, self.profile)
        return replace(routed, calls=finalise_calls(chat))

    def follow_up(self, history: Sequence[str], follow_up: str) -> "StandaloneQuestion":
        """Rewrite a follow-up as a standalone question, which can be shown before it is searched."""
        from pathfinder.llm.metered_chat import finalise_calls
        from pathfinder.retrieval.routing.follow_up import standalone_question

        self._moderate(follow_up)
        chat = self._metered("follow-up")
        return replace(standalone_question(history, follow_up, chat), calls=finalise_calls(chat))

    def answer(self, result: SearchResult, request: AnswerRequest | None = None, **fields: Any) -> Answer:
        """Answer the question of `result` from its hits, citing papers for each sentence.

        `fields` are those of `AnswerRequest`: `pf.answer(result, generation=Generation.AGENT)`.
        """
        return drain(self.stream_answer(result, request, **fields))

    def stream_answer(
        self, result: SearchResult, request: AnswerRequest | None = None, **fields: Any
    ) -> Generator[str | Step, None, Answer]:
        """Like `answer`, but yield words and steps as they arrive; the generator returns the checked answer."""
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
        """Replay an agent's `trace` up to `place`, counted from 0, put `step` there, and let the agent continue.

        Raises `UsageError` for a step from which no run can continue, or for the trace of another question.
        """
        return drain(self.stream_resume(trace, result, place, step, request))

    def stream_resume(
        self, trace: Trace, result: SearchResult, place: int, step: Step, request: AnswerRequest | None = None
    ) -> Generator[str | Step, None, Answer]:
        """Like `resume`, but yield words and steps as they arrive, the repeated ones first."""
        from pathfinder.answering.answer import words_and_steps
        from pathfinder.answering.modes.agent.replay import branched

        request = replace(request or AnswerRequest(), generation=Generation.AGENT)
        return words_and_steps(self._events(result, request, branched(trace, result, place, step)))

    def replay(self, trace: Trace, result: SearchResult) -> "Replay":
        """Repeat every action of an agent's `trace` and report differences; the model's words come from the trace."""
        from pathfinder.answering.modes.agent.replay import replay
        from pathfinder.answering.session.context import AnswerContext

        context = AnswerContext(self.sentence_embedder, None, self.for_answer().search, profile=self.profile)
        return replay(trace, result, context)

    def _events(
        self, result: SearchResult, request: AnswerRequest, branch: "Branch | None" = None
    ) -> Generator[AnswerEvent, None, None]:
        from pathfinder.answering.answer import stream_events
        from pathfinder.answering.session.context import AnswerContext
        from pathfinder.llm.metered_chat import finalise_calls

        chat = self._metered("answer", request.budget, result.calls)
        context = AnswerContext(
            self.sentence_embedder,
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

        Raises a `ProviderError` if there is no chat model, and `UsageError` if there is no answer to rewrite.
        """
        return drain(self.stream_rewrite(answer, audience, language))

    def stream_rewrite(
        self, answer: Answer, audience: Audience | None = None, language: str | None = None
    ) -> Generator[str, None, Rewrite]:
        """Like `rewrite`, but yield the words as they arrive."""
        from pathfinder.answering.audience import stream_rewrite
        from pathfinder.llm.metered_chat import finalise_calls

        chat = self._metered("rewrite")
        rewrite = yield from stream_rewrite(answer, chat, audience, language, profile=self.profile)
        return replace(rewrite, calls=finalise_calls(chat))

    def consensus(self, result: SearchResult, *, as_of: int | None = None) -> Consensus:
        """Measure how far the papers of `result` agree with its question, read as a statement, and quote a sentence
        from each.

        With `as_of`, a year, the same search is repeated without papers from later years. Raises a `ProviderError` if
        there is no chat model, or if its reply cannot be read.
        """
        return drain(self.stream_consensus(result, as_of=as_of))

    def stream_consensus(self, result: SearchResult, *, as_of: int | None = None) -> Generator[str, None, Consensus]:
        """Like `consensus`, but yield descriptions of its progress."""
        from pathfinder.assessment.consensus.consensus import consensus
        from pathfinder.llm.metered_chat import finalise_calls

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
        from pathfinder.llm.metered_chat import finalise_calls

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

        return guess_stances(statement, [hit.paper for hit in result.hits], self.sentence_embedder, self.corpus.sparse)

    def _search_with(self, chat: "MeteredChat | None") -> Callable[[SearchRequest], SearchResult]:
        """Return the search of an operation, under its budget and one time limit for live sources."""
        return partial(Pathfinder._search, self.for_answer(), chat=chat and chat.for_purpose("search"))

    def _assessed(self, result: SearchResult) -> SearchResult:
        if result.request.likeness is not None:
            return result
        from pathfinder.assessment.assess import assess

        return assess(result, self.corpus.sparse, self._calibration, self._relevance)


def _answer_request(request: AnswerRequest | None, fields: dict[str, Any]) -> AnswerRequest:
    return replace(request or AnswerRequest(), **_known(fields, AnswerRequest, "an answer"))


def _request(question: str | SearchRequest, fields: dict[str, Any]) -> SearchRequest:
    known = _known(fields, SearchRequest, "a search")
    return replace(question, **known) if isinstance(question, SearchRequest) else SearchRequest(question, **known)


def _known(fields: dict[str, Any], kind: type[AnswerRequest | SearchRequest], noun: str) -> dict[str, Any]:
    if unknown := set(fields) - set(kind.__dataclass_fields__):
        raise UsageError(f"{noun} has no setting {', '.join(sorted(unknown))}: see {kind.__name__}")
    return fields
