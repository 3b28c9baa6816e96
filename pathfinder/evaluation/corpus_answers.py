"""Evaluation of the answers that an open corpus gives to marked questions."""

from collections.abc import Sequence

from pathfinder.answering.digest.digest import make_digest
from pathfinder.building.progress import Progress
from pathfinder.evaluation.answers import AnswerReport, evaluate_answers
from pathfinder.evaluation.judges import Judge
from pathfinder.evaluation.marked_answers import MarkedQuestion
from pathfinder.evaluation.rubric import Rubric
from pathfinder.session import Pathfinder
from pathfinder.types import Answer, AnswerRequest, Digest, Hit, Paper, Score


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
    """Return the marked papers that are in the corpus, by id."""
    marked_ids = {question.paper_id for question in questions}
    rows = [row for row, paper_id in enumerate(pf.corpus.papers.paper_ids()) if paper_id in marked_ids]
    return {paper.paper_id: paper for paper in (pf.corpus.papers[row] for row in rows)}
