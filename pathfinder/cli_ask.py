"""`pathfinder ask`: a question, answered from the papers that bear on it, by the way that the reader chooses."""

from collections.abc import Generator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfinder.cli_options import searching
from pathfinder.cli_output import write_json, write_lines, write_notes
from pathfinder.cli_rewrite import REWRITE_OPTIONS, rewrite_lines, rewritten
from pathfinder.cli_settings import corpus_folder
from pathfinder.settings import read_settings
from pathfinder.types import (
    Answer,
    AnswerRequest,
    Budget,
    Generation,
    SearchRequest,
    SearchResult,
    Specialisation,
    Step,
)

if TYPE_CHECKING:
    from pathfinder.explorer import Pathfinder

AUTO = "auto"
"""As is advised for the kind of the question; a note says what that was."""


def _choice(option: str, kind: type[Generation] | type[Specialisation], help_line: str) -> Any:
    make: Any = StrEnum  # a type that is made as the program runs is more than mypy follows
    choices = make(kind.__name__, {choice.name: choice.value for choice in kind} | {"AUTO": AUTO})
    return Annotated[choices, typer.Option(option, help=f"{help_line}; auto: as the kind of the question advises.")]


ANSWER_OPTIONS: dict[str, tuple[Any, Any]] = {
    "generation": (
        _choice("--generation", Generation, "How the answer is made"),
        Generation.RAG.value,
    ),
    "specialisation": (
        _choice("--specialisation", Specialisation, "What it is like"),
        Specialisation.MULTI_PAPER.value,
    ),
    "steps": (
        Annotated[int, typer.Option("--steps", help="Most actions, sub-questions or rounds, 1 to 50.")],
        Budget().steps,
    ),
    "seconds": (Annotated[float, typer.Option("--seconds", help="Most seconds for the answer.")], Budget().seconds),
    "tokens": (
        Annotated[int, typer.Option("--tokens", help="Most tokens, read and written, all calls together.")],
        Budget().tokens,
    ),
    "second_judge": (
        Annotated[bool, typer.Option("--second-judge", help="Have the chat model judge the evidence too.")],
        False,
    ),
    "from_memory": (
        Annotated[
            bool,
            typer.Option("--from-memory", help="Where no paper answers: what the chat model remembers, tagged."),
        ],
        False,
    ),
}
"""What a reader sets of an answer, by its name, and what it is by default."""


def _ask(request: SearchRequest, folder: Path | None, as_json: bool, **options: Any) -> None:
    """Answer a question from the papers that bear on it, each sentence with its papers."""
    from pathfinder.cli_text import answer_lines
    from pathfinder.explorer import Pathfinder
    from pathfinder.export.records import answer_record
    from pathfinder.retrieval.advice import weighting_advice

    budget = Budget(options["steps"], options["seconds"], options["tokens"])
    settings = read_settings()
    pf = Pathfinder.open(corpus_folder(folder, settings), settings=settings)
    result = pf.search(request)
    answer = _told(pf.stream_answer(result, _answer_request(pf, result, budget, options)))
    write_notes((*result.notes, *weighting_advice(result.candidates, request.weighting), *answer.notes))
    told = rewritten(pf, answer, options)
    if as_json:
        write_json(answer_record(result, answer, told))
    else:
        write_lines((*answer_lines(result, answer), *(rewrite_lines(told) if told else ())))


ask = searching(_ask, ANSWER_OPTIONS | REWRITE_OPTIONS)


def _answer_request(pf: "Pathfinder", result: SearchResult, budget: Budget, options: dict[str, Any]) -> AnswerRequest:
    generation, specialisation = options["generation"], options["specialisation"]
    if AUTO in (generation, specialisation):
        from pathfinder.answering.choice import advised

        choice = advised(pf.route(result))
        generation = choice.generation.value if generation == AUTO else generation
        specialisation = choice.specialisation.value if specialisation == AUTO else specialisation
        write_notes(
            [f"taken for a {choice.because} question: generation {generation}, specialisation {specialisation}"]
        )
    return AnswerRequest(
        Generation(generation),
        Specialisation(specialisation),
        budget,
        second_judge=options["second_judge"],
        from_memory=options["from_memory"],
    )


def _told(stream: Generator[str | Step, None, Answer]) -> Answer:
    """The answer, whose steps are told as they come."""
    while True:
        try:
            piece = next(stream)
        except StopIteration as end:
            answer: Answer = end.value
            return answer
        if isinstance(piece, Step):
            write_notes([f"{piece.kind.value}: {piece.text}"], label="step")
