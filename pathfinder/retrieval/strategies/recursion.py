"""Recursive search: what the hits of a round leave unanswered is searched in the next.

The result is ordered by the question that was asked, from what was looked up for it in the beginning. A paper
among the first hits of a refined question stands at least at `REFINED_SHARE` of its fused score there: without
that no refined question could bring anything up, for the one that was asked has ranked all papers already.
Preset `paper` orders by the cosine, which nothing lifts: there the papers do no more than join the pool.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from pathfinder.corpus.store import Corpus
from pathfinder.errors import PathfinderError
from pathfinder.index.ports import Ranking
from pathfinder.retrieval.models import Models
from pathfinder.retrieval.replies import REFUSALS, in_brief
from pathfinder.retrieval.search import look_up, rank, search
from pathfinder.retrieval.stages import StageLog
from pathfinder.retrieval.strategies.decomposition import distinct, sub_questions
from pathfinder.retrieval.strategies.merging import found_by, hit_rows
from pathfinder.retrieval.strategies.refinement import refined_by_chat, refined_by_rule
from pathfinder.retrieval.years.named import without_years
from pathfinder.types import (
    LOCAL_RERANKER,
    NO_RERANKER,
    Candidates,
    Floats,
    Imagine,
    Paper,
    Round,
    Rows,
    SearchRequest,
    SearchResult,
)

REFINED_SHARE = 0.7
"""With the rules of `refinement` 0.5 moves nothing, and 0.85 costs 0.03 of cisi's nDCG@10."""

AT_ONCE = 8
"""How many questions are refined, or searched, at the same time."""


@dataclass(slots=True)
class Trail:
    """What a recursive search has asked, found and read so far."""

    finds: list[tuple[str, Rows]]
    """Each question in its order, and the rows that it found."""
    rounds: list[tuple[str, ...]]
    """The questions of each round."""
    lifts: dict[int, float] = field(default_factory=dict)
    """Of each row that a refined question found: the fused score that it keeps at least."""
    read: set[int] = field(default_factory=set)

    def unread(self, page_size: int) -> Rows:
        """The best `page_size` papers of the last round that no round has read, or of all rounds where it has none.

        They count as read from now on.
        """
        last = self.finds[-len(self.rounds[-1]) :]
        rows = self._unread(last) or self._unread(self.finds)
        # The question's own hits, which nothing lifted, stand in their order.
        page = sorted(rows, key=lambda row: -self.lifts.get(row, 0.0))[:page_size]
        self.read.update(page)
        return np.array(page, dtype=np.int64)

    def _unread(self, finds: Sequence[tuple[str, Rows]]) -> dict[int, None]:
        return dict.fromkeys(int(row) for _, found in finds for row in found if int(row) not in self.read)


def search_recursively(request: SearchRequest, corpus: Corpus, models: Models) -> SearchResult:
    """Search `request.depth` rounds of questions, each after at most `page_size` papers of the round before.

    Where the request decomposes, the first round has the question's parts beside it.
    """
    log = StageLog()
    looked_up = look_up(request, corpus, models, log)
    with log.stage("recursion") as stage:
        # What is read first is reranked here: a vendor is asked once, about what the reader will see.
        reranker = NO_RERANKER if request.reranker == NO_RERANKER else LOCAL_RERANKER
        top_k = max(request.top_k, request.page_size)
        first_request = replace(looked_up.request, top_k=top_k, reranker=reranker)
        first = rank(replace(looked_up, request=first_request), corpus, models, StageLog())
        parts = _parts(request, models, log)
        trail = Trail([(request.query, hit_rows(first))], [(request.query, *parts)])
        _follow(trail, parts, first_request, corpus, models)
        stage.ran = _in_words(trail, _walk(trail, first_request, corpus, models, log))
    lifted = Ranking(np.array(list(trail.lifts), dtype=np.int64), np.array(list(trail.lifts.values())))
    return replace(_told(rank(looked_up, corpus, models, log, lifted), trail), sub_questions=parts)


def _parts(request: SearchRequest, models: Models, log: StageLog) -> tuple[str, ...]:
    if not request.decomposes:
        return ()
    with log.stage("decomposition") as stage:
        parts, stage.ran = sub_questions(request.query, models.chat)
    return parts


def _walk(trail: Trail, request: SearchRequest, corpus: Corpus, models: Models, log: StageLog) -> str:
    """Go on to the last round, or until nothing new is asked; returns who refined, each once."""
    asked: list[str] = []
    for _ in range(request.depth):
        papers = corpus.papers.take(trail.unread(request.page_size))
        if not len(papers):
            break
        refined, by = _refined(request.query, papers, corpus, models, log)
        asked.append(by)
        questions = distinct(refined, but=(question for question, _ in trail.finds))
        if not questions:
            break
        trail.rounds.append(questions)
        _follow(trail, questions, request, corpus, models)
    return " and ".join(dict.fromkeys(asked)) or "nobody"


def _follow(trail: Trail, questions: Sequence[str], request: SearchRequest, corpus: Corpus, models: Models) -> None:
    """Search the questions and note what they find."""
    for result in _searched(questions, request, corpus, models):
        trail.finds.append((result.request.query, hit_rows(result)))
        for hit in result.hits:
            lift = REFINED_SHARE * (hit.score.fused or 0.0)
            trail.lifts[hit.row] = max(lift, trail.lifts.get(hit.row, 0.0))


def _refined(
    question: str, papers: Sequence[Paper], corpus: Corpus, models: Models, log: StageLog
) -> tuple[list[str], str]:
    """The questions that the papers lead to, and who asked them: rules, where there is no model or all calls fail."""
    chat = models.chat
    if chat is None:
        return _by_rules(question, papers, corpus, models), "rules"

    def ask(paper: Paper) -> str | PathfinderError | None:
        try:
            return refined_by_chat(question, paper, chat)
        except REFUSALS as error:
            return error

    with ThreadPoolExecutor(AT_ONCE) as pool:
        replies = list(pool.map(ask, papers))
    failures = [reply for reply in replies if isinstance(reply, PathfinderError)]
    if len(failures) == len(replies):
        log.note(f"no question was refined by a chat model: {failures[0]}")
        return _by_rules(question, papers, corpus, models), f"rules ({in_brief(failures[0], chat.name)})"
    for paper, reply in zip(papers, replies, strict=True):
        if isinstance(reply, PathfinderError):
            log.note(f"no question was asked after “{paper.title}”: {reply}")
    return [reply for reply in replies if isinstance(reply, str)], chat.name


def _by_rules(question: str, papers: Sequence[Paper], corpus: Corpus, models: Models) -> list[str]:
    # The filter holds the years that the question names; as words they would lead astray.
    topic = without_years(question)
    refined = (refined_by_rule(topic, paper, corpus.sparse, models.extractor) for paper in papers)
    return [one for one in refined if one]


def _searched(questions: Sequence[str], request: SearchRequest, corpus: Corpus, models: Models) -> list[SearchResult]:
    """Each question under the same filters and weights; imagined and reranked is only the question that was asked."""
    plain = replace(request, top_k=request.page_size, imagine=Imagine.OFF, reranker=NO_RERANKER, reads_years=False)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda question: search(replace(plain, query=question), corpus, models), questions))


def _in_words(trail: Trail, by: str) -> str:
    n_rounds, n_questions = len(trail.rounds) - 1, sum(map(len, trail.rounds[1:]))
    if not n_rounds:
        return f"nothing more to ask, by {by}"
    questions = "1 question" if n_questions == 1 else f"{n_questions} questions"
    return f"{questions} in {'1 round' if n_rounds == 1 else f'{n_rounds} rounds'}, by {by}"


def _told(result: SearchResult, trail: Trail) -> SearchResult:
    """The result with the questions that found each paper, and the curve."""
    finders = found_by(result.candidates.rows, trail.finds[1:])
    by_row = dict(zip(result.candidates.rows.tolist(), finders, strict=True))
    return replace(
        result,
        candidates=replace(result.candidates, found_by=finders),
        hits=tuple(replace(hit, found_by=by_row[hit.row]) for hit in result.hits),
        rounds=convergence(trail, result.candidates),
    )


def convergence(trail: Trail, candidates: Candidates) -> tuple[Round, ...]:
    """The curve of what was found against the round.

    A paper counts as relevant that is at least as near to the question as the farthest of the first round's hits:
    in meaning, or in words where meaning was not looked up.
    """
    near = _nearness(candidates)
    nearness = dict(zip(candidates.rows.tolist(), near.tolist(), strict=True))
    bar = min((nearness.get(row, 0.0) for row in trail.finds[0][1].tolist()), default=0.0)
    found: set[int] = set()
    rounds, finds = [], iter(trail.finds)
    for questions in trail.rounds:
        before = len(found)
        found.update(row for _ in questions for row in next(finds)[1].tolist())
        n_relevant = sum(nearness.get(row, -1.0) >= bar for row in found)
        rounds.append(Round(questions, len(found) - before, n_relevant))
    return tuple(rounds)


def _nearness(candidates: Candidates) -> Floats:
    return np.nan_to_num(candidates.sparse if np.isnan(candidates.dense).all() else candidates.dense)
