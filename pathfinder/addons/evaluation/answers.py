"""Evaluation of answers to questions whose answering sentences were marked by hand.

A line of a digest is gold if it overlaps a gold sentence of the same paper by more than half the length of the shorter
one, counted in characters of the abstract.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from statistics import fmean
from typing import TypedDict

import numpy as np

from pathfinder.addons.evaluation.judged import failure_notes
from pathfinder.addons.evaluation.judges import Judge, Quality
from pathfinder.addons.evaluation.marked_answers import FORM_OF_TYPE, MarkedQuestion
from pathfinder.addons.evaluation.rubric import Rubric, score_by_rubric
from pathfinder.answering.digest.digest import MAX_LINES, make_digest
from pathfinder.answering.digest.form import choose_form
from pathfinder.building.progress import Progress, Silent, stage_of
from pathfinder.evaluation.metrics import interval_of_mean
from pathfinder.facade import Pathfinder
from pathfinder.types import Answer, AnswerRequest, Digest, Finding, Hit, Paper, Score

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


class MeanWithInterval(TypedDict):
    """A mean over questions with its 95% interval; all null if no question could be counted."""

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
    notes: tuple[str, ...] = ()
    is_judged: bool = False
    """True if a chat model judged the answers."""
    has_rubric: bool = False
    """True if the chat model also judged the answers by a rubric."""

    def record(self) -> dict[str, object]:
        """Return the report as JSON: each measure is a `MeanWithInterval`, over all questions and
        by type (under "by_type").
        """
        by_type = {kind: self.of_type(kind) for kind in self.kinds()}
        return {
            "n_questions": len(self.scores),
            **self.figures(),
            "by_type": {kind: {"n_questions": len(part.scores), **part.figures()} for kind, part in by_type.items()},
            "notes": list(self.notes),
        }

    def figures(self) -> dict[str, MeanWithInterval]:
        """Return the mean of every measure over the questions."""
        measures = (*MEASURES, *(JUDGED_MEASURES if self.is_judged else ()), *(BY_RUBRIC if self.has_rubric else ()))
        return {measure: figure_of([score.get(measure) for score in self.scores]) for measure in measures}

    def kinds(self) -> tuple[str, ...]:
        """Return the types that occur among the questions, in the order of `FORM_OF_TYPE`."""
        return tuple(kind for kind in FORM_OF_TYPE if kind in self.types)

    def of_type(self, kind: str) -> "AnswerReport":
        """Return the report on the questions of one type."""
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
    return AnswerReport(tuple(scores), types, notes, judge is not None, judge is not None and rubric is not None)


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
        return {"value": None, "low": None, "high": None}
    interval = interval_of_mean(np.array(known_values, dtype=np.float64))
    return {"value": fmean(known_values), "low": interval.low, "high": interval.high}


def figure_text(figure: MeanWithInterval) -> str:
    """Write a mean with its interval: "0.738 [0.70, 0.78]"."""
    value, low, high = figure["value"], figure["low"], figure["high"]
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

    return evaluate_answers(questions, answer, digest_of, _marked_papers(pf, questions), progress, judge, rubric)


def _marked_papers(pf: Pathfinder, questions: Sequence[MarkedQuestion]) -> dict[str, Paper]:
    marked_ids = {question.paper_id for question in questions}
    rows = [row for row, paper_id in enumerate(pf.corpus.papers.paper_ids()) if paper_id in marked_ids]
    return {paper.paper_id: paper for paper in (pf.corpus.papers[row] for row in rows)}
