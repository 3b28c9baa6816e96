"""Pathfinder: search, answers, rewrites, and consensus on an open corpus with its map."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace
from types import FunctionType
from typing import TYPE_CHECKING, Any

from pathfinder.llm.chat import cache_replies_within_budget, finalise_calls
from pathfinder.llm.stopping import drain
from pathfinder.plugins import Registry
from pathfinder.session.search_session import SearchSession, known_fields
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
    Rewrite,
    SearchResult,
    Step,
    Trace,
)
from pathfinder.types.answers import by_field
from pathfinder.types.consensus import N_PAPERS
from pathfinder.types.texts import check_length

if TYPE_CHECKING:
    from pathfinder.answering.modes.agent.agent import Replay
    from pathfinder.answering.session.answer_session import Branch
    from pathfinder.assessment.consensus.local import Guess
    from pathfinder.retrieval.routing.follow_up import StandaloneQuestion
    from pathfinder.retrieval.routing.route import Route


METHODS: Registry[Any] = Registry("pathfinder.methods", (FunctionType, property), {}, "method")
"""Functions of an open corpus that add-ons and packages offer as methods, and properties of one."""


class Pathfinder(SearchSession):
    """An open corpus, ready for questions. It stores nothing between questions, so it can be shared by threads.

    Add-ons and other packages add methods, such as `timeline`; `dir` lists them too.

    >>> pf = Pathfinder.open("build/landmarks")
    >>> result = pf.search("What is the value of the Hubble constant?", top_k=5)
    >>> print(pf.answer(result).text)
    """

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or name not in METHODS:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            return METHODS.get(name).__get__(self)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *METHODS})

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

        `fields` are those of `AnswerRequest`, or `mode` and `style`: `pf.answer(result, mode=Generation.AGENT)`.
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
        """Like `resume`, but yield words and steps as they arrive, the replayed ones first."""
        from pathfinder.answering.answer import words_and_steps
        from pathfinder.answering.modes.agent.agent import branch_off

        request = replace(request or AnswerRequest(), generation=Generation.AGENT)
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
        from pathfinder.assessment.consensus.consensus import consensus

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
        from pathfinder.assessment.consensus.history import consensus_over_time

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
        from pathfinder.assessment.consensus.local import guess_stances

        words = self.of(result).corpus.sparse
        return guess_stances(statement, [hit.paper for hit in result.hits], self.sentence_embedder, words)


def _answer_request(request: AnswerRequest | None, fields: dict[str, Any]) -> AnswerRequest:
    return replace(request or AnswerRequest(), **known_fields(by_field(fields), AnswerRequest, "an answer"))
