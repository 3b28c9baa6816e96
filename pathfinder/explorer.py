"""The facade: what notebooks, pages and the command line hold in their hands."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pathfinder.answering.agent.replay import Replay, branched, replay
from pathfinder.answering.answer import stream_answer
from pathfinder.answering.audience import stream_rewrite
from pathfinder.answering.reply import Branch, Means, finished
from pathfinder.assessment.assess import assess
from pathfinder.assessment.consensus.consensus import consensus
from pathfinder.assessment.consensus.history import N_PAPERS, consensus_over_time
from pathfinder.assessment.consensus.local.scorer import Guess, guess_stances
from pathfinder.errors import UsageError
from pathfinder.landscape.layer import Absent, Layer, Offer
from pathfinder.landscape.layers.catalogue import catalogue, layer
from pathfinder.landscape.layers.found import found_layer
from pathfinder.models.metered import MeteredChat, settled
from pathfinder.models.ports import ChatModel
from pathfinder.opened import Opened
from pathfinder.retrieval.likeness import describe
from pathfinder.retrieval.routing.conversation import StandingQuestion, standing_question
from pathfinder.retrieval.routing.route import BY_RULES, Route, route
from pathfinder.retrieval.similar import similar
from pathfinder.retrieval.strategies.explore import explore
from pathfinder.retrieval.weighting import reweigh
from pathfinder.types import (
    LOCAL_RERANKER,
    Answer,
    AnswerRequest,
    Audience,
    Consensus,
    ConsensusHistory,
    Generation,
    Likeness,
    Rewrite,
    SearchRequest,
    SearchResult,
    Step,
    Trace,
    Weighting,
)


class Pathfinder(Opened):
    """An open corpus with the models that read it. It keeps nothing between questions, so threads may share it.

    >>> pf = Pathfinder.open("build/landmarks")
    >>> result = pf.search("What is the value of the Hubble constant?", top_k=5)
    >>> print(pf.answer(result).text)
    """

    def search(self, question: str | SearchRequest, **fields: Any) -> SearchResult:
        """Find and rank papers. `fields` are those of `SearchRequest`: `pf.search("...", top_k=5, year_from=2020)`."""
        meter = self._meter("search")
        result = self._search(_request(question, fields), meter)
        return replace(result, calls=settled(meter, result.notes))

    def _search(self, request: SearchRequest, chat: ChatModel | None) -> SearchResult:
        models = replace(self.models, chat=chat)
        if request.likeness is not None:
            landscape = self.landscape if request.likeness.place else None
            return similar(request, self.corpus, models, landscape.coordinates if landscape else None)
        return self._assessed(explore(request, self.corpus, models))

    def similar(
        self,
        *more: str,
        less: Sequence[str] = (),
        text: str | None = None,
        place: tuple[float, float] | None = None,
        **fields: Any,
    ) -> SearchResult:
        """Find papers like the papers `more`, a pasted `text` or what lies at `place` on the map, and unlike `less`.

        `fields` are those of `SearchRequest`: `pf.similar("riess-2022", less=["hubble-1929"], top_k=5)`. The
        papers given are left out. Whether the corpus bears on it is not judged: the result has no assessment.
        """
        likeness = Likeness(more, tuple(less), text, place)
        return self.search(describe(likeness, self.corpus.papers), likeness=likeness, **fields)

    def reweigh(self, result: SearchResult, weighting: Weighting) -> SearchResult:
        """Order the candidates of `result` anew, with no model and no index."""
        return self._assessed(reweigh(result, weighting))

    def route(self, result: SearchResult, reranker: str = LOCAL_RERANKER) -> Route:
        """The kind of the question of `result`, by the chat model or by rules, and the settings advised for it.

        `reranker` is what a suggestion reranks by. Nothing is applied: `table1.apply` does that.
        """
        meter = self._meter("route")
        told = route(result.request.query, result.keywords, meter, reranker)
        return replace(told, calls=settled(meter, [told.decided_by] if told.decided_by.startswith(BY_RULES) else []))

    def follow_up(self, history: Sequence[str], follow_up: str) -> StandingQuestion:
        """A follow-up as a question that can be searched by itself, to be shown before it is."""
        meter = self._meter("follow-up")
        told = standing_question(history, follow_up, meter)
        return replace(told, calls=settled(meter, [told.ran] if told.ran.startswith(BY_RULES) else []))

    def answer(self, result: SearchResult, request: AnswerRequest | None = None, **fields: Any) -> Answer:
        """Answer the question of `result` from its hits, each sentence with its papers.

        `fields` are those of `AnswerRequest`: `pf.answer(result, generation=Generation.AGENT)`.
        """
        return finished(self.stream_answer(result, request, **fields))

    def stream_answer(
        self, result: SearchResult, request: AnswerRequest | None = None, **fields: Any
    ) -> Generator[str | Step, None, Answer]:
        """Like `answer`, yielding words and steps as they come; the generator's return value is the checked answer."""
        return self._answering(result, _answer_request(request, fields))

    def resume(
        self, trace: Trace, result: SearchResult, place: int, step: Step, request: AnswerRequest | None = None
    ) -> Answer:
        """Take an agent's `trace` again up to `place`, from 0, put `step` there, and let the agent go on.

        Raises `UsageError` for a step that no run can go on from, or a trace of another question than `result`'s.
        """
        return finished(self.stream_resume(trace, result, place, step, request))

    def stream_resume(
        self, trace: Trace, result: SearchResult, place: int, step: Step, request: AnswerRequest | None = None
    ) -> Generator[str | Step, None, Answer]:
        """Like `resume`, yielding words and steps as they come, those that were kept first."""
        branch = branched(trace, result, place, step)
        return self._answering(result, replace(request or AnswerRequest(), generation=Generation.AGENT), branch)

    def replay(self, trace: Trace, result: SearchResult) -> Replay:
        """Do every action of an agent's `trace` anew and compare; what the model said is taken from the trace."""
        return replay(trace, result, Means(self.embedder, None, self.search))

    def _answering(
        self, result: SearchResult, request: AnswerRequest, branch: Branch | None = None
    ) -> Generator[str | Step, None, Answer]:
        meter = self._meter("answer", request.budget.tokens)
        means = Means(self.embedder, meter, self._search_of(meter), branch=branch)
        found = yield from stream_answer(result, request, means)
        return replace(found, calls=settled(meter, found.notes))

    def rewrite(self, answer: Answer, audience: Audience | None = None, language: str | None = None) -> Rewrite:
        """`answer` for another audience or in another language, and what that lost or added.

        Raises a `ProviderError` without a chat model, and `UsageError` where there is no answer to tell anew.
        """
        return finished(self.stream_rewrite(answer, audience, language))

    def stream_rewrite(
        self, answer: Answer, audience: Audience | None = None, language: str | None = None
    ) -> Generator[str, None, Rewrite]:
        """Like `rewrite`, yielding the words as they come."""
        meter = self._meter("rewrite")
        told = yield from stream_rewrite(answer, meter, audience, language)
        return replace(told, calls=settled(meter, told.notes))

    def consensus(self, result: SearchResult, *, as_of: int | None = None) -> Consensus:
        """How far the papers of `result` agree with its question as a statement, each with its quoted sentence.

        As of a year: the same search in the years until then, and no later paper is read. Raises a `ProviderError`
        without a chat model, and where a reply of it cannot be read.
        """
        return finished(self.stream_consensus(result, as_of=as_of))

    def stream_consensus(self, result: SearchResult, *, as_of: int | None = None) -> Generator[str, None, Consensus]:
        """Like `consensus`, yielding in words what has been done."""
        meter = self._meter("consensus")
        found = yield from consensus(result, meter, self._search_of(meter), as_of)
        return replace(found, calls=settled(meter, found.notes))

    def consensus_over_time(
        self,
        result: SearchResult,
        *,
        known: Consensus | None = None,
        n_papers: int = N_PAPERS,
        as_of: int | None = None,
    ) -> ConsensusHistory:
        """How the best `n_papers` matches of `result`, listed or not, agree year by year, and when that changed.

        `known` is a consensus on the same result: its papers are not asked about again. Raises what `consensus` raises.
        """
        return finished(self.stream_consensus_over_time(result, known=known, n_papers=n_papers, as_of=as_of))

    def stream_consensus_over_time(
        self,
        result: SearchResult,
        *,
        known: Consensus | None = None,
        n_papers: int = N_PAPERS,
        as_of: int | None = None,
    ) -> Generator[str, None, ConsensusHistory]:
        """Like `consensus_over_time`, yielding in words what has been done."""
        meter = self._meter("consensus")
        search = self._search_of(meter)
        found = yield from consensus_over_time(result, meter, search, known=known, n_papers=n_papers, as_of=as_of)
        return replace(found, calls=settled(meter, found.notes))

    def guess_stances(self, result: SearchResult, statement: str) -> tuple[Guess, ...]:
        """A guess, without a chat model, at what each hit of `result` says of `statement`; it makes no level.

        Raises `UsageError` for an embedder that the guess was not fitted on.
        """
        return guess_stances(statement, [hit.paper for hit in result.hits], self.embedder, self.corpus.sparse)

    def layers(self) -> tuple[Offer | Absent, ...]:
        """What can be laid over the map, and what cannot, with the reason and the way to it."""
        return catalogue(self.survey) if self.survey else (self._no_map("map"),)

    def layer(self, slug: str, years: tuple[int | None, int | None] | None = None) -> Layer | Absent:
        """One layer of the map: "growth", "mission:jwst", "topic:galaxies", "author:Riess, A".

        Those with nothing to choose were counted when the corpus was built, the others are counted now. Of `years`
        only, both inclusive, where that means something. Raises `UsageError` for what is no layer.
        """
        return layer(self.survey, slug, years) if self.survey else self._no_map(slug)

    def found_layer(self, result: SearchResult) -> Layer | Absent:
        """The hits of `result` on the map, with their ranks, and those that lie apart."""
        return found_layer(self.survey, result) if self.survey else self._no_map("found")

    def _no_map(self, slug: str) -> Absent:
        return Absent(slug, "The map", self.corpus.absent.get("landscape", "this corpus has no map"))

    def _search_of(self, meter: MeteredChat | None) -> Callable[[SearchRequest], SearchResult]:
        """The search of an operation under way."""
        return partial(self._search, chat=meter and meter.under("search"))

    def _assessed(self, result: SearchResult) -> SearchResult:
        if result.request.likeness is not None:
            return result
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
