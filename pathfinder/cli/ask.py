"""`pathfinder ask`: answers a question from papers, in the mode that the reader chooses."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pathfinder.cli.options import SearchCommand
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.rewrite import REWRITE_OPTIONS, rewrite_answer, rewrite_lines
from pathfinder.cli.settings import open_pathfinder
from pathfinder.models.ports import LoadedChat
from pathfinder.types import (
    Answer,
    AnswerEvent,
    AnswerRequest,
    Budget,
    DigestForm,
    Done,
    Generation,
    SearchRequest,
    SearchResult,
    Specialisation,
    StepTaken,
)
from pathfinder.types.setting_kinds import Switch, WholeNumber
from pathfinder.types.settings import Setting, settings_of

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

AUTO = "auto"
"""Name that stands for the mode or style that suits the kind of question; a note says which was used."""

_DEFAULTS = {"generation": Generation.RAG.value, "specialisation": None}
"""Defaults of the choices that do not default to `AUTO`; `None` stands for the mode's first style."""

_VALUES_PLOT: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--values-plot",
        metavar="FILE",
        help="Also plot the values stated in papers, as a .svg, .png or .html file.",
    ),
]


def answer_options() -> dict[str, tuple[Any, Any]]:
    """Return the options of an answer by name, with their defaults; the modes come from the registry."""
    from pathfinder.answering.settings import AnswerSettings

    settings = {setting.name: _answer_option(setting) for setting in settings_of(AnswerSettings)}
    return settings | {"values_plot": (_VALUES_PLOT, None)}


def _answer_option(setting: Setting) -> tuple[Any, Any]:
    """Return the annotation and the default of an option. Here, only `Budget` limits the numbers; a page limits them
    further, because its link may come from a stranger.
    """
    names = str(setting.option).split()
    if isinstance(setting.kind, Switch):
        return Annotated[bool, typer.Option(*names, help=setting.help)], setting.default
    if isinstance(setting.kind, WholeNumber):
        default = getattr(Budget(), setting.name)
        return Annotated[type(default), typer.Option(*names, help=setting.help)], default
    help_line = f"{setting.help.rstrip('.')}; auto: whichever suits the kind of question."
    make: Any = StrEnum  # mypy cannot follow a type created at run time
    values = [*setting.kind.values.split(", "), AUTO]
    choices = make(setting.label.split()[0], {value.upper().replace("-", "_"): value for value in values})
    default = _DEFAULTS.get(setting.name, AUTO)
    if default is None:
        option = typer.Option(*names, help=help_line, show_default="the first that the mode supports")
        return Annotated[choices | None, option], None
    return Annotated[choices, typer.Option(*names, help=help_line)], default


def _ask(request: SearchRequest, folder: Path | None, as_json: bool, **options: Any) -> None:
    """Answer a question from papers, with citations for each sentence."""
    from pathfinder.cli.text import answer_lines
    from pathfinder.export.records import answer_record

    plot = _plot_writer(options["values_plot"])
    pf, result, answer = searched_and_answered(request, folder, options)
    rewrite = rewrite_answer(pf, answer, options)
    if as_json:
        write_json(answer_record(result, answer, rewrite))
    else:
        write_lines((*answer_lines(result, answer), *(rewrite_lines(rewrite) if rewrite else ())))
    if plot is not None:
        plot(answer)


def searched_and_answered(
    request: SearchRequest, folder: Path | None, options: dict[str, Any]
) -> "tuple[Pathfinder, SearchResult, Answer]":
    """Search and answer with the options of `ask`, print the notes, and also return the session of the question."""
    from pathfinder.retrieval.advice import weighting_advice

    budget = Budget(options["steps"], options["seconds"], options["tokens"])
    _check_mode(options, budget)
    pf = open_pathfinder(folder).for_question(budget)
    result = pf.search(request)
    if isinstance(pf.chat, LoadedChat):
        write_notes([f"{pf.chat.name} is loaded from its file on the first call; this may take a while"], "step")
    answer = _answer(pf.stream_events(result, _answer_request(pf, result, budget, options)))
    write_notes((*result.notes, *weighting_advice(result.candidates, request.weighting), *answer.notes))
    return pf, result, answer


ask = SearchCommand(_ask, lambda: answer_options() | REWRITE_OPTIONS)


def _plot_writer(path: Path | None) -> Callable[[Answer], None] | None:
    """Return the function that plots an answer's values; raise `UsageError` if the file's suffix is unknown."""
    if path is None:
        return None
    from pathfinder.figures.values_file import check_suffix, write_values

    check_suffix(path)
    return partial(write_values, path=path)


def _check_mode(options: dict[str, Any], budget: Budget) -> None:
    """Raise `UsageError` for a style that the mode does not support, before anything is searched or paid for."""
    from pathfinder.answering.modes.registry import generation_of, mode_of

    generation, specialisation = options["generation"], options["specialisation"]
    if AUTO not in (generation, specialisation):
        style = None if specialisation is None else Specialisation(specialisation)
        mode_of(AnswerRequest(generation_of(generation), style, budget))


def _answer_request(pf: "Pathfinder", result: SearchResult, budget: Budget, options: dict[str, Any]) -> AnswerRequest:
    from pathfinder.answering.modes.registry import generation_of

    generation, specialisation = options["generation"], options["specialisation"]
    style = None if specialisation in (None, AUTO) else Specialisation(specialisation)
    if AUTO in (generation, specialisation):
        from pathfinder.answering.mode_advice import advise_mode

        mode = None if generation == AUTO else generation_of(generation)
        if specialisation is None:  # as in version 0.1.0, the style is chosen automatically only with `--style auto`
            style = Specialisation.MULTI_PAPER
        advice = advise_mode(pf.route(result), mode, style)
        generation, style = str(advice.generation), advice.specialisation
        write_notes([f"kind of question: {advice.because}; mode requested: {generation}, style: {style.value}"])
    return AnswerRequest(
        generation_of(generation),
        style,
        budget,
        second_judge=options["second_judge"],
        from_memory=options["from_memory"],
        form=None if options["form"] == AUTO else DigestForm(options["form"]),
    )


def _answer(events: Iterable[AnswerEvent]) -> Answer:
    """Print the steps of an answer as they arrive, and return the answer."""
    for event in events:
        if isinstance(event, StepTaken):
            write_notes([f"{event.step.kind.value}: {event.step.text}"], label="step")
        elif isinstance(event, Done):
            return event.answer
    raise RuntimeError("the answer's events ended without Done")
