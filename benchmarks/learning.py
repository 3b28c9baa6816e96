"""Learning curve of weights learned from simulated, noisy feedback, and the harm that meaningless feedback does.

    python -m benchmarks.learning DATA [--cache DIR] [--collections cisi,cacm] [--runs N] [--json FILE]

DATA contains `retrieval/`, with one folder per collection in BEIR's layout. In each run, a random half of the judged
questions goes to the readers and the other half is held out. A simulated reader asks a question from the first half
with the default search, looks at each paper in the list with a probability that falls as 1 / rank, and gives each
paper seen a thumbs-up or thumbs-down, depending on whether it is relevant; `Reader` lists the readers' errors. Weights
are learned by the code that the page runs, and are applied to the held-out questions if the page would suggest them.
`STARTS` has the weights with which the readers begin.
"""

import argparse
import datetime
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path

import numpy as np

from benchmarks.report import machine
from pathfinder.cli.progress import build_progress
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.evaluation.collections import Collection, read_collection
from pathfinder.evaluation.indexing import IndexParts, index_documents
from pathfinder.evaluation.intervals import interval_of_mean
from pathfinder.evaluation.metrics import score_each
from pathfinder.feedback import Judgement, Opinion, Target, Thumb, judgement_of, suggest
from pathfinder.models.minilm import MiniLM
from pathfinder.retrieval.stages.models import Models
from pathfinder.retrieval.strategies.dispatch import dispatch_search
from pathfinder.retrieval.weighting import reweigh, weigh
from pathfinder.types import SearchRequest, SearchResult, Weighting

COLLECTIONS = ("cisi", "cacm", "scholarqa_multi_closed")
SIZES = (20, 50, 100, 200, 500)
PER_SEARCH = 2
"""Number of papers that a reader judges in one search."""
STARTS = {"default weights": Weighting(), "reranker at 0": Weighting(rerank=0.0)}
"""Weights behind the lists that the readers see: the default ones, and a setting that leaves something to learn."""
DAY = datetime.date(2026, 11, 23)
SEED = 18


class Reader(StrEnum):
    """Kinds of simulated readers."""

    EXACT = "as the paper deserves"
    FIFTH = "one in five, by the toss of a coin"
    HALF = "one in two, by the toss of a coin"
    RANDOM = "all, by the toss of a coin"
    BY_RANK = "up for every paper seen"


COINS = {Reader.EXACT: 0.0, Reader.FIFTH: 0.2, Reader.HALF: 0.5, Reader.RANDOM: 1.0}
"""Share of thumbs that are drawn at random, whatever the paper."""


@dataclass(frozen=True, slots=True)
class SearchedQuestion:
    """A judged question with its default search."""

    question: str
    result: SearchResult
    grades: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Point:
    """A point on the curve."""

    collection: str
    start: str
    reader: str
    n_judgements: int
    before: float
    """nDCG@10 of all questions with the weights at the start."""
    learned: float
    """Gain in nDCG@10 of held-out questions if the learned weights were always applied."""
    learned_low: float
    learned_high: float
    offered: float
    """The same if they are applied only when they are suggested."""
    offered_low: float
    offered_high: float
    suggested: float
    """Share of runs in which the weights are suggested."""
    worst: float
    """Smallest gain of any run, with weights applied only when they are suggested."""


def searches(collection: Collection, cache: Path | None) -> tuple[SearchedQuestion, ...]:
    """Search for every judged question with the default settings."""
    models = Models(MiniLM(), KeywordExtractor.load())
    with (
        build_progress() as progress,
        index_documents(collection.corpus, models.embedder, cache, progress, IndexParts(True, True)) as ground,
    ):
        questions = []
        for name, text in collection.questions.items():
            left_out = collection.left_out.get(name, frozenset()) | {name}
            result = dispatch_search(SearchRequest(text, excluded_ids=left_out), ground.corpus, models)
            questions.append(SearchedQuestion(name, result, collection.judgements[name]))
        return tuple(questions)


def judgements(
    questions: Sequence[SearchedQuestion], reader: Reader, n: int, luck: np.random.Generator
) -> Iterator[Judgement]:
    """Yield `n` judgements of papers that the readers saw when they asked `questions`."""
    patterns: dict[str, Judgement] = {}
    for search in range(-(-n // PER_SEARCH)):
        question = questions[int(luck.integers(len(questions)))]
        hits = question.result.hits
        if question.question not in patterns:
            opinion = Opinion(Target.PAPER, Thumb.UP, paper_id=hits[0].paper.paper_id)
            patterns[question.question] = judgement_of(
                question.result, opinion, search_id="", day=DAY, version="simulated"
            )
        chances = 1.0 / np.arange(1, len(hits) + 1)
        ranks = luck.choice(
            len(hits), min(PER_SEARCH, n - search * PER_SEARCH), replace=False, p=chances / chances.sum()
        )
        for rank in ranks.tolist():
            paper_id = hits[rank].paper.paper_id
            thumb = _thumb(reader, question.grades.get(paper_id, 0) > 0, luck)
            yield replace(patterns[question.question], search_id=str(search), paper_id=paper_id, thumb=thumb)


def _thumb(reader: Reader, is_relevant: bool, luck: np.random.Generator) -> Thumb:
    if reader is Reader.BY_RANK:
        return Thumb.UP
    is_up = bool(luck.random() < 0.5) if luck.random() < COINS[reader] else is_relevant
    return Thumb.UP if is_up else Thumb.DOWN


def ndcg(questions: Sequence[SearchedQuestion], weighting: Weighting) -> dict[str, float]:
    """Return nDCG@10 of each question with the weights `weighting`."""
    rankings = {
        question.question: [hit.paper.paper_id for hit in weigh(question.result.candidates, weighting, 10)]
        for question in questions
    }
    return score_each({question.question: question.grades for question in questions}, rankings)["ndcg@10"]


@dataclass(frozen=True, slots=True)
class Run:
    """Gains on the held-out questions of one run, by question."""

    learned: Mapping[str, float]
    is_suggested: bool

    @property
    def offered(self) -> Mapping[str, float]:
        """The gains if the page decides: none unless it suggests the weights."""
        return self.learned if self.is_suggested else dict.fromkeys(self.learned, 0.0)


def run(
    questions: Sequence[SearchedQuestion],
    start: Weighting,
    before: Mapping[str, float],
    reader: Reader,
    n: int,
    seed: int,
) -> Run:
    """Learn from `n` judgements on a random half of the questions, and measure on the other half."""
    luck = np.random.default_rng([SEED, seed])
    order = luck.permutation(len(questions))
    readers, held_out = ([questions[i] for i in half] for half in np.array_split(order, 2))
    suggestion = suggest([*judgements(readers, reader, n, luck)], start)
    after = ndcg(held_out, suggestion.weighting)
    return Run({name: after[name] - before[name] for name in after}, suggestion.is_supported)


def point(
    collection: str, start: str, reader: Reader, n: int, before: Mapping[str, float], runs: Sequence[Run]
) -> Point:
    """Average the runs; the intervals are over questions, each with its mean over the runs that held it out."""
    gains_of_learning, gains_of_offers = (
        _by_question(runs, lambda each: each.learned),
        _by_question(runs, lambda each: each.offered),
    )
    of_learned, of_offered = interval_of_mean(gains_of_learning), interval_of_mean(gains_of_offers)
    return Point(
        collection,
        start,
        reader.value,
        n,
        float(np.mean([*before.values()])),
        float(gains_of_learning.mean()),
        of_learned.low,
        of_learned.high,
        float(gains_of_offers.mean()),
        of_offered.low,
        of_offered.high,
        float(np.mean([each.is_suggested for each in runs])),
        min(float(np.mean([*each.offered.values()])) for each in runs),
    )


def _by_question(
    runs: Sequence[Run], gains: Callable[[Run], Mapping[str, float]]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    of_question: dict[str, list[float]] = defaultdict(list)
    for each in runs:
        for question, gain in gains(each).items():
            of_question[question].append(gain)
    return np.array([np.mean(values) for values in of_question.values()])


def curve(collection: str, start: str, questions: Sequence[SearchedQuestion], n_runs: int) -> Iterator[Point]:
    """Yield every point of a collection's curves that begin with the weights of `start`."""
    weighting = STARTS[start]
    reweighted_questions = [replace(question, result=reweigh(question.result, weighting)) for question in questions]
    before = ndcg(reweighted_questions, weighting)
    for reader in Reader:
        for n in SIZES:
            runs = [run(reweighted_questions, weighting, before, reader, n, seed) for seed in range(n_runs)]
            yield point(collection, start, reader, n, before, runs)


def table(points: Sequence[Point], n_questions: int) -> Iterator[str]:
    """Yield the lines of the table for one collection and start."""
    yield f"\n{points[0].collection}, {points[0].start}: {n_questions} questions, nDCG@10 {points[0].before:.3f}\n"
    yield "| thumbs | judgements | suggested | gain as offered | gain if always applied | worst run |"
    yield "|---|---|---|---|---|---|"
    for each in points:
        yield (
            f"| {each.reader} | {each.n_judgements} | {each.suggested:.0%} "
            f"| {each.offered:+.3f} [{each.offered_low:+.3f}, {each.offered_high:+.3f}] "
            f"| {each.learned:+.3f} [{each.learned_low:+.3f}, {each.learned_high:+.3f}] | {each.worst:+.3f} |"
        )


def main() -> None:
    """Print the curves as Markdown tables."""
    parser = argparse.ArgumentParser(description="Learning curve of weights from simulated feedback.")
    parser.add_argument("data", type=Path, help="folder with retrieval/")
    parser.add_argument("--cache", type=Path, help="keeps the vectors of the documents")
    parser.add_argument("--collections", default=",".join(COLLECTIONS))
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(machine())
    points = []
    for name in arguments.collections.split(","):
        questions = searches(read_collection(arguments.data / "retrieval" / name), arguments.cache)
        for start in STARTS:
            of_start = [*curve(name, start, questions, arguments.runs)]
            points += of_start
            print("\n".join(table(of_start, len(questions))), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(each) for each in points]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
