"""Evaluation of answers to questions that passages of full texts answer, and of those that no paper answers.

A text contains a passage if it has at least 0.6 of the passage's distinct words and numbers; so a passage that was cut
elsewhere, or whose formulas are written otherwise, still counts.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pathfinder.addons.evaluation.answers import MeanWithInterval, figure_of
from pathfinder.addons.evaluation.marked_answers import records_of_file
from pathfinder.building.progress import Progress, Silent, stage_of
from pathfinder.errors import CorpusError
from pathfinder.types import Answer, SearchResult

QUESTIONS_FILE = "questions.jsonl"
LAYOUT = (
    'each line needs "question" and "paper" (an id of the corpus, or null if no paper answers it) and, as far as they '
    'are known, "passage" (the words that answer it) and "answer"'
)
MEASURES = ("paper_first", "passage_first", "passage_shown", "quoted", "numbers_quoted", "refused", "refused_wrongly")
"""Measures of a search and its answer: the paper is the first hit; its passage is the first one shown, or among those
that the hits show; the answer contains the passage, and all numbers of the expected answer; a question without a paper
is refused, and one with a paper is.
"""

CONTAINED = 0.6
"""Minimum share of the words of a passage that a text must have to contain it."""
WORDS_OF_A_PASSAGE, WORDS_OF_AN_ANSWER = 165, 150
"""Number of words at the beginning of a passage, and of an answer, that count."""
FEWEST_CHARACTERS = 40
"""Number of characters up to which a passage is too short to be recognised."""

_WORDS, _NUMBERS = re.compile(r"[a-z]{3,}|\d+(?:\.\d+)?"), re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class PassageQuestion:
    """A question, and what answers it."""

    question: str
    paper_id: str | None
    """Paper that answers it; `None` if none does."""
    passage: str = ""
    """Passage that answers it; empty if it is not known."""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class PassageReport:
    """Quality of the answers to such questions."""

    scores: tuple[Mapping[str, float | None], ...]
    """Every measure for each question; `None` where it does not apply."""

    def record(self) -> dict[str, object]:
        """Return the number of questions, and each measure that applies to any of them, as a `MeanWithInterval`."""
        figures: dict[str, MeanWithInterval] = {
            measure: figure_of([score[measure] for score in self.scores]) for measure in MEASURES
        }
        return {"n_questions": len(self.scores), **figures}


def read_passage_questions(folder: Path) -> tuple[PassageQuestion, ...]:
    """Read the questions in `folder`. Raises `CorpusError` for a line without the layout that `LAYOUT` describes."""
    questions = []
    for number, record in records_of_file(folder / QUESTIONS_FILE):
        question, *others = (record.get(name) for name in ("question", "paper", "passage", "answer"))
        if not isinstance(question, str) or not all(text is None or isinstance(text, str) for text in others):
            raise CorpusError(f"{folder / QUESTIONS_FILE}, line {number} is not a question: {LAYOUT}")
        paper_id, passage, answer = (str(text or "") for text in others)
        questions.append(PassageQuestion(question, paper_id or None, passage, answer))
    return tuple(questions)


def evaluate_passage_answers(
    questions: Sequence[PassageQuestion],
    search: Callable[[str], SearchResult],
    answer: Callable[[SearchResult], Answer],
    progress: Progress | None = None,
) -> PassageReport:
    """Search for each question, answer it, and compare the passages shown and the answer with what answers it."""
    scores = []
    for question in stage_of(questions, progress or Silent(), "questions"):
        result = search(question.question)
        scores.append(_score(question, result, answer(result)))
    return PassageReport(tuple(scores))


def _score(question: PassageQuestion, result: SearchResult, answer: Answer) -> dict[str, float | None]:
    scores: dict[str, float | None] = dict.fromkeys(MEASURES)
    is_refused = float(answer.abstained or (answer.digest is not None and answer.digest.is_weak))
    if question.paper_id is None:
        return scores | {"refused": is_refused}
    scores["refused_wrongly"] = is_refused
    scores["paper_first"] = float(bool(result.hits) and result.hits[0].paper.paper_id == question.paper_id)
    said = _beginning(answer.text, WORDS_OF_AN_ANSWER)
    if len(question.passage) > FEWEST_CHARACTERS:
        shown = [_beginning(each.text, WORDS_OF_A_PASSAGE) for hit in result.hits for each in hit.full_text]
        contain = [_contains(text, question.passage) for text in shown]
        scores["passage_first"], scores["passage_shown"] = float(any(contain[:1])), float(any(contain))
        scores["quoted"] = float(_contains(said, question.passage))
    if numbers := _numbers(question.answer):
        scores["numbers_quoted"] = float(numbers <= _numbers(said))
    return scores


def _contains(text: str, passage: str) -> bool:
    sought = {*_WORDS.findall(passage.lower())}
    return len(sought & {*_WORDS.findall(text.lower())}) >= CONTAINED * max(len(sought), 1)


def _numbers(text: str) -> set[str]:
    """Return the numbers of two characters or more: a single digit is in too many sentences."""
    return {number for number in _NUMBERS.findall(text) if len(number) > 1}


def _beginning(text: str, n_words: int) -> str:
    return " ".join(text.split()[:n_words])
