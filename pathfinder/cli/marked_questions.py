"""The command that measures answers on marked questions: pathfinder evaluate answers."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from pathfinder.cli.options import CorpusFolder, JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_pathfinder
from pathfinder.settings import read_settings

_MarkedFile: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE", help="Questions with marked sentences, as JSON lines.")
]
_Mode: TypeAlias = Annotated[
    str, typer.Option("--mode", "--generation", metavar="NAME", help="Answer mode to measure.")
]
_Judge: TypeAlias = Annotated[
    bool, typer.Option("--judge", help="Have the chat model judge coverage, relevance and organisation, from 1 to 5.")
]
_RubricFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--rubric", metavar="FILE", help="Have the chat model also judge by this weighted rubric, a file of JSON lines."
    ),
]
_Cache: TypeAlias = Annotated[
    Path | None,
    typer.Option("--cache", metavar="DIR", help="Store judgements here, so that an interrupted run can continue."),
]
_Limit: TypeAlias = Annotated[int | None, typer.Option("--limit", min=1, help="Only the first N questions.")]


def answers(
    file: _MarkedFile,
    corpus: CorpusFolder = None,
    generation: _Mode = "extractive",
    judge: _Judge = False,
    rubric: _RubricFile = None,
    cache: _Cache = None,
    limit: _Limit = None,
    as_json: JsonFlag = False,
) -> None:
    """Answer questions whose answers were marked by hand in abstracts, and report how often the marked sentences are
    quoted.
    """
    from pathfinder.answering.modes.registry import generation_of
    from pathfinder.cli.judge_evaluation import judging_chat
    from pathfinder.cli.progress import build_progress
    from pathfinder.cli.tables import answer_quality_lines
    from pathfinder.evaluation.corpus_answers import evaluate_corpus_answers
    from pathfinder.evaluation.judges import open_judge
    from pathfinder.evaluation.marked_answers import read_marked_questions
    from pathfinder.evaluation.rubric import read_rubric
    from pathfinder.types import AnswerRequest

    questions, settings = read_marked_questions(file)[:limit], read_settings()
    pf = open_pathfinder(corpus, settings)
    request = AnswerRequest(generation_of(generation))
    chat, items = judging_chat(settings) if judge or rubric else None, read_rubric(rubric) if rubric else None
    with build_progress() as progress, open_judge(chat, cache) if chat else nullcontext() as judge_chat:
        report = evaluate_corpus_answers(pf, questions, request, progress, judge_chat, items)
    write_notes(report.notes)
    record: dict[str, Any] = report.record()
    write_json(record) if as_json else write_lines(answer_quality_lines(record))
