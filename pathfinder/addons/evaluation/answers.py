"""Evaluation of answers: to questions whose answering sentences were marked by hand, by a weighted rubric, and to
questions that passages of full texts answer.

A line of a digest is gold if it overlaps a gold sentence of the same paper by more than half the length of the shorter
one, counted in characters of the abstract.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from math import fsum
from statistics import fmean

import numpy as np

from pathfinder.addons.evaluation.judged import failure_notes
from pathfinder.addons.evaluation.judges import MAX_MARK, Judge, Quality
from pathfinder.addons.evaluation.marked_files import (
    FORM_OF_TYPE,
    ITEMS,
    Item,
    MarkedQuestion,
    PassageQuestion,
    Rubric,
)
from pathfinder.answering.digest.digest import MAX_LINES, make_digest
from pathfinder.answering.digest.form import choose_form
from pathfinder.building.progress import Progress, Silent, stage_of
from pathfinder.facade import Pathfinder
from pathfinder.operations.evaluation.metrics import interval_of_mean
from pathfinder.types import Answer, AnswerRequest, Digest, Finding, Hit, Paper, Score, SearchResult

FIRST_LINES = 4
"""Number of lines, counted from the first, among which `any_is_gold` looks for a gold line."""

MEASURES = (
    *("first_is_gold", "any_is_gold", "gold_share", "finding_is_gold", "paper_quoted", "abstained", "lines_shown"),
    *("form_accuracy", "citation_precision", "citation_recall", "citation_f1"),
)
"""Measures of an answer. Measures of lines apply only to digests, and measures of citations only to written answers."""


JUDGED_MEASURES = tuple(field.name for field in fields(Quality))
"""Measures of an answer, from 1 to 5, which only a judge can provide; without a judge, they are absent."""

BY_RUBRIC = ("rubric", "rubric_items")
"""Scores by a rubric, in [0, 1]: the total, and the score of its items alone. They need a judge, and are absent without
a rubric.
"""


@dataclass(frozen=True, slots=True)
class MeanWithInterval:
    """A mean over questions with its 95% interval; all `None` if no question could be counted."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """Quality of the answers to marked questions."""

    scores: tuple[Mapping[str, float | None], ...]
    """Every measure for each question; `None` where it does not apply."""
    types: tuple[str, ...]
    """Type of each question."""
    measures: tuple[str, ...] = MEASURES
    """What was measured: those of a judge only if a chat model judged the answers, those by a rubric only with one."""
    notes: tuple[str, ...] = ()

    @property
    def n_questions(self) -> int:
        """Number of questions."""
        return len(self.scores)

    @property
    def by_type(self) -> Mapping[str, "AnswerReport"]:
        """The report on the questions of each type, in the order of `FORM_OF_TYPE`."""
        return {kind: self._of_type(kind) for kind in FORM_OF_TYPE if kind in self.types}

    def figures(self) -> dict[str, MeanWithInterval]:
        """Return the mean of every measure over the questions."""
        return {measure: figure_of([score.get(measure) for score in self.scores]) for measure in self.measures}

    def _of_type(self, kind: str) -> "AnswerReport":
        scores = tuple(score for score, own in zip(self.scores, self.types, strict=True) if own == kind)
        return replace(self, scores=scores, types=(kind,) * len(scores))


def evaluate_answers(
    questions: Sequence[MarkedQuestion],
    answer: Callable[[str], Answer],
    digest_of: Callable[[str, Paper], Digest],
    papers: Mapping[str, Paper],
    progress: Progress | None = None,
    judge: Judge | None = None,
    rubric: Rubric | None = None,
) -> AnswerReport:
    """Answer each question, and compare the lines of the answer with the gold sentences.

    `answer` searches for a question and answers it; `digest_of` answers a question with a digest of a single paper, so
    that the choice of sentences is measured independently of the search; `papers` holds the marked papers in the
    corpus, by id. A question whose paper is missing counts like any other, although no quotation can answer it.
    """
    scores = []
    for question in stage_of(questions, progress or Silent(), "questions"):
        reply = answer(question.question)
        paper = papers.get(question.paper_id)
        spans = question.gold_spans(paper.abstract) if paper else ()
        findings = digest_of(question.question, paper).findings[:1] if paper else ()
        score = {
            **_score_lines(question, reply, spans),
            "finding_is_gold": float(any(is_gold(finding, spans) for finding in findings)),
            "abstained": float(reply.abstained),
            "form_accuracy": float(choose_form(question.question).form is FORM_OF_TYPE[question.type]),
            **_score_citations(reply),
        }
        quality = judge.quality(question.question, reply.text) if judge else None
        items = rubric.get(question.question) if rubric else None
        by_rubric = score_by_rubric(reply, items, judge) if judge and items else None
        if quality:
            score |= asdict(quality)
        if by_rubric:
            score |= {"rubric": by_rubric.total, "rubric_items": by_rubric.items}
        scores.append(score)
    notes = _notes(questions, papers) + (failure_notes(judge) if judge else ())
    types = tuple(question.type for question in questions)
    measures = (*MEASURES, *(JUDGED_MEASURES if judge else ()), *(BY_RUBRIC if judge and rubric is not None else ()))
    return AnswerReport(tuple(scores), types, measures, notes)


def is_gold(finding: Finding, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether `finding` overlaps any of `spans`, which are positions in the same abstract, by more than half
    the length of the shorter one.
    """
    return any(
        2 * (min(end, finding.end) - max(start, finding.start)) > min(end - start, finding.end - finding.start)
        for start, end in spans
    )


def _score_lines(question: MarkedQuestion, answer: Answer, spans: Sequence[tuple[int, int]]) -> dict[str, float | None]:
    digest = None if answer.is_written else answer.digest
    if digest is None and not answer.abstained:
        return {}
    lines = digest.findings[:MAX_LINES] if digest else ()
    of_paper = [line.paper_id == question.paper_id for line in lines]
    gold = [own and is_gold(line, spans) for line, own in zip(lines, of_paper, strict=True)]
    return {
        "first_is_gold": float(any(gold[:1])),
        "any_is_gold": float(any(gold[:FIRST_LINES])),
        "gold_share": sum(gold) / sum(of_paper) if any(of_paper) else None,
        "paper_quoted": float(any(of_paper)),
        "lines_shown": float(len(lines)),
    }


def _score_citations(answer: Answer) -> dict[str, float | None]:
    is_quoted = answer.digest is not None and not answer.is_written
    if is_quoted or answer.ledger is None:
        return {}
    ledger = answer.ledger
    return {"citation_precision": ledger.precision, "citation_recall": ledger.recall, "citation_f1": ledger.f1}


def figure_of(values: Sequence[float | None]) -> MeanWithInterval:
    """Return the mean of the values that are known, with its 95% interval."""
    known_values = [value for value in values if value is not None]
    if not known_values:
        return MeanWithInterval(None, None, None)
    interval = interval_of_mean(np.array(known_values, dtype=np.float64))
    return MeanWithInterval(fmean(known_values), interval.low, interval.high)


def figure_text(figure: MeanWithInterval) -> str:
    """Write a mean with its interval: "0.738 [0.70, 0.78]"."""
    value, low, high = figure.value, figure.low, figure.high
    return "not known" if value is None or low is None or high is None else f"{value:.3f} [{low:.2f}, {high:.2f}]"


def _notes(questions: Sequence[MarkedQuestion], papers: Mapping[str, Paper]) -> tuple[str, ...]:
    """Describe the limitations of the figures: papers missing from the corpus, and gold sentences missing from their
    abstracts.
    """
    missing = sum(question.paper_id not in papers for question in questions)
    answerable = [question for question in questions if question.paper_id in papers]
    n_altered = sum(
        len(question.gold_spans(papers[question.paper_id].abstract)) < len(question.gold) for question in answerable
    )
    of_papers = f"{missing} of {len(questions)} marked papers are not in the corpus: their questions cannot be answered"
    of_sentences = (
        f"{n_altered} of {len(answerable)} abstracts lack a gold sentence: they differ from the marked versions"
    )
    return ((of_papers,) if missing else ()) + ((of_sentences,) if n_altered else ())


def evaluate_corpus_answers(
    pf: Pathfinder,
    questions: Sequence[MarkedQuestion],
    request: AnswerRequest,
    progress: Progress | None = None,
    judge: Judge | None = None,
    rubric: Rubric | None = None,
) -> AnswerReport:
    """Search `pf` for each question with the default settings, answer it as `request` says, and compare the lines of
    the answer with the marked sentences.
    """

    def answer(question: str) -> Answer:
        return pf.answer(pf.search(question), request)

    def digest_of(question: str, paper: Paper) -> Digest:
        return make_digest(question, [Hit(paper, 0, Score(1.0))], pf.embedder, profile=pf.profile)

    rows = pf.corpus.papers.rows_of(list({question.paper_id for question in questions}))
    papers = {paper.paper_id: paper for paper in pf.corpus.papers.take(rows[rows >= 0])}
    return evaluate_answers(questions, answer, digest_of, papers, progress, judge, rubric)


# Scores by a weighted rubric, as in ScholarQABench (arXiv:2411.14199): general aspects count for 40%, and the items
# that experts wrote for a question for 60%.

LENGTH, EXPERTISE, CITATIONS, EXCERPTS = 0.05, 0.05, 0.20, 0.10
"""Weights of the general parts; with that of the items, they sum to 1."""

SHORT, LONG = 300, 600
"""Maximum number of words for which an answer's length scores 1, and minimum number for which it scores 0."""

EXPERT = (
    "The answer shows the knowledge of an expert: correct terms, an appropriate level of detail, and no beginner's "
    "mistakes."
)


@dataclass(frozen=True, slots=True)
class RubricScore:
    """Scores of one answer, each in [0, 1]."""

    total: float
    items: float
    """Score of the items alone."""


def score_by_rubric(answer: Answer, items: Sequence[Item], judge: Judge) -> RubricScore | None:
    """Score `answer`; `None` if any judgement failed, because a missing mark is not a 0.

    An item with evidence is judged twice, by its criterion and by its evidence, each with half the weight.
    """
    weights, marks = [], []
    for item in items:
        criteria = [
            item.criterion,
            *(["The answer reflects this: " + " ... ".join(item.evidence)] if item.evidence else []),
        ]
        for criterion in criteria:
            weights.append(item.weight / len(criteria))
            marks.append(judge.mark(answer.question, answer.text, criterion))
    expertise = judge.mark(answer.question, answer.text, EXPERT)
    known_marks = [mark / MAX_MARK for mark in marks if mark is not None]
    if expertise is None or len(known_marks) < len(marks):
        return None
    of_items = fsum(weight * mark for weight, mark in zip(weights, known_marks, strict=True))
    cited_share, excerpt_share = _shares(answer)
    general = LENGTH * length_score(answer.text) + EXPERTISE * expertise / MAX_MARK
    return RubricScore(general + CITATIONS * cited_share + EXCERPTS * excerpt_share + of_items, of_items / ITEMS)


def length_score(text: str) -> float:
    """Return the score for the length of `text`: 1 for up to 300 words, falling linearly to 0 at 600."""
    return min(1.0, max(0.0, (LONG - len(text.split())) / (LONG - SHORT)))


def _shares(answer: Answer) -> tuple[float, float]:
    """Return the share of sentences with a citation, and the share of citations for which the supporting sentence is
    known.
    """
    sentences = answer.ledger.sentences if answer.ledger else ()
    citations = [(sentence, paper_id) for sentence in sentences for paper_id in sentence.citations]
    cited_share = sum(bool(sentence.citations) for sentence in sentences) / max(len(sentences), 1)
    with_excerpt = sum(any(e.source_id == paper_id for e in sentence.evidence) for sentence, paper_id in citations)
    return cited_share, with_excerpt / max(len(citations), 1)


# Answers to questions that passages of full texts answer, and to those that no paper answers.
#
# A text contains a passage if it has at least 0.6 of the passage's distinct words and numbers; so a passage that was
# cut elsewhere, or whose formulas are written otherwise, still counts.

PASSAGE_MEASURES = (
    "paper_first",
    "passage_first",
    "passage_shown",
    "quoted",
    "numbers_quoted",
    "refused",
    "refused_wrongly",
    "doubted",
    "doubted_wrongly",
)
"""Measures of a search and its answer: the paper is the first hit; its passage is the first one shown, or among those
that the hits show; the answer contains the passage, and all numbers of the expected answer; a question without a paper
is refused, and one with a paper is; the same for an answer that opens with a doubt.
"""

CONTAINED = 0.6
"""Minimum share of the words of a passage that a text must have to contain it."""
WORDS_OF_A_PASSAGE, WORDS_OF_AN_ANSWER = 165, 150
"""Number of words at the beginning of a passage, and of an answer, that count."""
FEWEST_CHARACTERS = 40
"""Number of characters up to which a passage is too short to be recognised."""

_WORDS, _NUMBERS = re.compile(r"[a-z]{3,}|\d+(?:\.\d+)?"), re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class PassageReport:
    """Quality of the answers to such questions."""

    scores: tuple[Mapping[str, float | None], ...]
    """Every measure for each question; `None` where it does not apply."""

    @property
    def n_questions(self) -> int:
        """Number of questions."""
        return len(self.scores)

    def figures(self) -> dict[str, MeanWithInterval]:
        """Return the mean of every measure over the questions."""
        return {measure: figure_of([score[measure] for score in self.scores]) for measure in PASSAGE_MEASURES}


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
        scores.append(_passage_scores(question, result, answer(result)))
    return PassageReport(tuple(scores))


def _passage_scores(question: PassageQuestion, result: SearchResult, answer: Answer) -> dict[str, float | None]:
    scores: dict[str, float | None] = dict.fromkeys(PASSAGE_MEASURES)
    is_refused = float(answer.abstained or (answer.digest is not None and answer.digest.is_weak))
    is_doubted = float(answer.digest is not None and answer.digest.is_doubtful)
    if question.paper_id is None:
        return scores | {"refused": is_refused, "doubted": is_doubted}
    scores |= {"refused_wrongly": is_refused, "doubted_wrongly": is_doubted}
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
