"""Recursive search: each round searches for what the hits of the previous round leave unanswered.

The result is ranked for the original question. A paper among the first hits of a refined query keeps at least
`REFINED_SHARE` of its fused score for that query. Without this floor, refined queries could not raise any paper,
because the original question has already ranked them all. The preset `paper` ranks by cosine, to which no floor
applies, so with that preset the papers are only added to the pool.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from pydantic import ConfigDict

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.store import Corpus
from pathfinder.errors import PathfinderError
from pathfinder.index.ports import Ranking, WordStatistics
from pathfinder.index.words import words
from pathfinder.llm.chat import REFUSALS, complete, in_brief, json_or_none, unreadable
from pathfinder.llm.prompts import render
from pathfinder.llm.stopping import StoppablePool
from pathfinder.models.ports import ChatModel
from pathfinder.retrieval.search import look_up, rank, search
from pathfinder.retrieval.stages import Models, StageLog, StageReport, substituted_stage
from pathfinder.retrieval.strategies.decomposition import distinct, found_by, hit_rows, sub_questions
from pathfinder.retrieval.years.in_questions import without_years
from pathfinder.types import (
    ALWAYS_LOCAL,
    LOCAL_RERANKER,
    NO_RERANKER,
    Candidates,
    Floats,
    Paper,
    QueryExpansion,
    Round,
    Rows,
    SearchRequest,
    SearchResult,
)

TEMPERATURE = 0.7
"""Temperature above 0, because the papers of one round are very similar and their queries should differ."""

MAX_TOKENS = 120
N_PHRASES = 2
"""Number of the paper's own phrases in the refined query."""

MIN_PAPERS = 2
"""Minimum number of papers in which a phrase must occur: a phrase found in only one paper just leads back to it."""

_QUERY = re.compile(r"<query>((?:(?!<query>).)*?)</query>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class _RefinedQuery:
    __pydantic_config__ = ConfigDict(extra="forbid")

    query: str


def refined_by_chat(question: str, paper: Paper, chat: ChatModel) -> str | None:
    """Return the query in the JSON of the model's reply, or its first `<query>`; `None` if that query is empty, as it
    is when the paper leaves nothing unanswered.

    Raises the model's own error, or `ProviderError` for a reply without a query.
    """
    prompt = render("refine", question=question, title=paper.title, abstract=paper.abstract)
    reply = complete(
        chat, render("refine_system"), prompt, temperature=TEMPERATURE, max_tokens=MAX_TOKENS, form=_RefinedQuery
    )
    if refined_query := json_or_none(reply, _RefinedQuery):
        return " ".join(refined_query.query.split()) or None
    match = _QUERY.search(reply)
    if match is None:
        raise unreadable(reply, "no <query>", chat)
    return " ".join(match[1].split()) or None


def refined_by_rule(question: str, paper: Paper, index: WordStatistics, extractor: KeywordExtractor) -> str | None:
    """Join the question's content words that the paper lacks (or all of them, if it lacks none) with the paper's two
    rarest phrases.

    The phrases are keywords of the paper, or of its title if it has none, that share no word with the question. `None`
    if the paper has no such phrase.
    """
    question_stems, paper_stems = index.content_words(question), set(index.content_words(paper.text))
    missing = [stem for stem in question_stems if stem not in paper_stems]
    phrases = paper.keywords or tuple(keyword.text for keyword in extractor.question_keywords(paper.title))
    rarest = _rarest(phrases, set(question_stems), index)
    return " ".join([*_unstem(question, missing or question_stems, index), *rarest]) if rarest else None


def _unstem(question: str, stems: Iterable[str], index: WordStatistics) -> list[str]:
    """Return the words of the question that have these stems, as written and without duplicates."""
    wanted_stems = set(stems)
    return list(dict.fromkeys(word for word in words(question) if wanted_stems & set(index.content_words(word))))


def _rarest(phrases: Iterable[str], question_stems: set[str], index: WordStatistics) -> list[str]:
    """Return the phrases with the lowest mean log document frequency that share no word with the question."""
    rarity = {}
    for phrase in phrases:
        stems = index.content_words(phrase)
        n_papers = index.document_frequencies(stems)
        if stems and not question_stems & set(stems) and n_papers.min() >= MIN_PAPERS:
            rarity[phrase] = float(np.log(n_papers).mean())
    return sorted(rarity, key=rarity.__getitem__)[:N_PHRASES]


REFINED_SHARE = 0.7
"""Share of a refined query's score that a paper keeps. With the rules of `refinement`, 0.5 moves no paper and 0.85
costs 0.03 in nDCG@10 on cisi.
"""

MAX_PARALLEL = 8
"""Number of queries that are refined or searched at the same time."""


@dataclass(slots=True)
class RecursionState:
    """The queries and hits of a recursive search so far, and the papers read."""

    finds: list[tuple[str, Rows]]
    """Each query, in order, with the rows of the papers that it found."""
    rounds: list[tuple[str, ...]]
    """Queries in each round."""
    score_floors: dict[int, float] = field(default_factory=dict)
    """Lower limit of the fused score of each row that a refined query found."""
    read_rows: set[int] = field(default_factory=set)

    def next_page(self, page_size: int) -> Rows:
        """Return the best `page_size` unread papers of the last round, or of all rounds if it has none.

        From then on, the returned papers count as read.
        """
        last = self.finds[-len(self.rounds[-1]) :]
        rows = self._unread_rows(last) or self._unread_rows(self.finds)
        # Hits of the original question have no floor and keep their order.
        page = sorted(rows, key=lambda row: -self.score_floors.get(row, 0.0))[:page_size]
        self.read_rows.update(page)
        return np.array(page, dtype=np.int64)

    def _unread_rows(self, finds: Sequence[tuple[str, Rows]]) -> dict[int, None]:
        return dict.fromkeys(int(row) for _, rows in finds for row in rows if int(row) not in self.read_rows)


@dataclass(frozen=True, slots=True)
class Refiner:
    """The model or rules that wrote the refined queries of a round."""

    words: str
    """Text for the badge."""
    model: str | None = None
    reason: str | None = None
    """Reason why rules replaced the chat model."""


def search_recursively(request: SearchRequest, corpus: Corpus, models: Models) -> SearchResult:
    """Run `request.depth` rounds of refined queries, each based on at most `page_size` papers from the previous round.

    If the request asks for decomposition, its sub-questions are part of the first round.
    """
    log = StageLog()
    looked_up = look_up(request, corpus, models, log)
    request = replace(request, query=looked_up.request.query)
    with log.stage("recursion") as stage:
        # The first page is reranked locally: a vendor is called only once, for the final ranking.
        reranker = request.reranker if request.reranker in (NO_RERANKER, ALWAYS_LOCAL) else LOCAL_RERANKER
        top_k = max(request.top_k, request.page_size)
        first_request = replace(looked_up.request, top_k=top_k, reranker=reranker)
        first = rank(replace(looked_up, request=first_request), corpus, models, StageLog())
        parts = _parts(request, models, log)
        state = RecursionState([(request.query, hit_rows(first))], [(request.query, *parts)])
        _search_round(state, parts, first_request, corpus, models)
        stage.report = _report(state, _run_rounds(state, first_request, corpus, models, log))
    floors = Ranking(np.array(list(state.score_floors), dtype=np.int64), np.array(list(state.score_floors.values())))
    looked_up = replace(looked_up, rankings=replace(looked_up.rankings, score_floors=floors))
    return replace(_with_rounds(rank(looked_up, corpus, models, log), state), sub_questions=parts)


def _parts(request: SearchRequest, models: Models, log: StageLog) -> tuple[str, ...]:
    if not request.decomposes:
        return ()
    with log.stage("decomposition") as stage:
        parts, stage.report = sub_questions(request.query, models.chat)
    return parts


def _run_rounds(
    state: RecursionState, request: SearchRequest, corpus: Corpus, models: Models, log: StageLog
) -> list[Refiner]:
    """Run all rounds, or stop when there are no new queries; return the source of the refined queries."""
    refiners: list[Refiner] = []
    for _ in range(request.depth):
        papers = corpus.papers.take(state.next_page(request.page_size))
        if not len(papers):
            break
        new_queries, refiner = _refine(request.query, papers, corpus, models, log)
        refiners.append(refiner)
        questions = distinct(new_queries, but=(question for question, _ in state.finds))
        if not questions:
            break
        state.rounds.append(questions)
        _search_round(state, questions, request, corpus, models)
    return list(dict.fromkeys(refiners))


def _search_round(
    state: RecursionState, questions: Sequence[str], request: SearchRequest, corpus: Corpus, models: Models
) -> None:
    """Run the queries and record what they find."""
    for result in _search_all(questions, request, corpus, models):
        state.finds.append((result.request.query, hit_rows(result)))
        for hit in result.hits:
            floor = REFINED_SHARE * (hit.score.fused or 0.0)
            state.score_floors[hit.row] = max(floor, state.score_floors.get(hit.row, 0.0))


def _refine(
    question: str, papers: Sequence[Paper], corpus: Corpus, models: Models, log: StageLog
) -> tuple[list[str], Refiner]:
    """Return the refined queries and their source: the chat model, or rules if there is none or all calls fail."""
    chat = models.chat
    if chat is None:
        return _by_rules(question, papers, corpus, models), Refiner("rules")

    def refine(paper: Paper) -> str | PathfinderError | None:
        try:
            return refined_by_chat(question, paper, chat)
        except REFUSALS as error:
            return error

    with StoppablePool(MAX_PARALLEL) as pool:
        replies = list(pool.map(refine, papers))
    failures = [reply for reply in replies if isinstance(reply, PathfinderError)]
    if len(failures) == len(replies):
        log.note(f"the chat model did not refine the query: {failures[0]}")
        reason = in_brief(failures[0], chat.name)
        return _by_rules(question, papers, corpus, models), Refiner(f"rules ({reason})", reason=reason)
    for paper, reply in zip(papers, replies, strict=True):
        if isinstance(reply, PathfinderError):
            log.note(f"no query was refined from “{paper.title}”: {reply}")
    return [reply for reply in replies if isinstance(reply, str)], Refiner(chat.name, chat.name)


def _by_rules(question: str, papers: Sequence[Paper], corpus: Corpus, models: Models) -> list[str]:
    # The filter already contains the years of the question; as search words, they would be misleading.
    topic = without_years(question, corpus.profile)
    new_queries = (refined_by_rule(topic, paper, corpus.sparse, models.extractor) for paper in papers)
    return [query for query in new_queries if query]


def _search_all(questions: Sequence[str], request: SearchRequest, corpus: Corpus, models: Models) -> list[SearchResult]:
    """Search each query with the same filters and weights, without query expansion or reranking."""
    plain = replace(
        request,
        top_k=request.page_size,
        imagine=QueryExpansion.OFF,
        reranker=NO_RERANKER,
    ).without_reading()
    with StoppablePool(MAX_PARALLEL) as pool:
        return list(pool.map(lambda question: search(replace(plain, query=question), corpus, models), questions))


def _report(state: RecursionState, refiners: Sequence[Refiner]) -> StageReport:
    words = _describe(state, " and ".join(refiner.words for refiner in refiners) or "nobody")
    if reasons := [refiner.reason for refiner in refiners if refiner.reason is not None]:
        return substituted_stage(words, reasons[0])
    return StageReport(words, next((refiner.model for refiner in refiners), None))


def _describe(state: RecursionState, refiner: str) -> str:
    n_rounds, n_questions = len(state.rounds) - 1, sum(map(len, state.rounds[1:]))
    if not n_rounds:
        return f"no further queries (refined by {refiner})"
    questions = "1 question" if n_questions == 1 else f"{n_questions} questions"
    return f"{questions} in {'1 round' if n_rounds == 1 else f'{n_rounds} rounds'}, by {refiner}"


def _with_rounds(result: SearchResult, state: RecursionState) -> SearchResult:
    """Add the queries that found each paper, and the convergence curve."""
    finders = found_by(result.candidates.rows, state.finds[1:])
    by_row = dict(zip(result.candidates.rows.tolist(), finders, strict=True))
    return replace(
        result,
        candidates=replace(result.candidates, found_by=finders),
        hits=tuple(replace(hit, found_by=by_row[hit.row]) for hit in result.hits),
        rounds=convergence(state, result.candidates),
    )


def convergence(state: RecursionState, candidates: Candidates) -> tuple[Round, ...]:
    """Return the convergence curve: for each round, the number of new papers and the number of relevant papers so far.

    A paper counts as relevant if its score for the original question (cosine, or BM25 if there was no search by
    meaning) is at least that of the question's weakest hit.
    """
    similarity = dict(zip(candidates.rows.tolist(), _similarity(candidates).tolist(), strict=True))
    threshold = min((similarity.get(row, 0.0) for row in state.finds[0][1].tolist()), default=0.0)
    found_rows: set[int] = set()
    rounds, finds = [], iter(state.finds)
    for questions in state.rounds:
        before = len(found_rows)
        found_rows.update(row for _ in questions for row in next(finds)[1].tolist())
        n_relevant = sum(similarity.get(row, -1.0) >= threshold for row in found_rows)
        rounds.append(Round(questions, len(found_rows) - before, n_relevant))
    return tuple(rounds)


def _similarity(candidates: Candidates) -> Floats:
    return np.nan_to_num(candidates.sparse if np.isnan(candidates.dense).all() else candidates.dense)
