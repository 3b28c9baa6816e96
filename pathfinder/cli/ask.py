"""`pathfinder ask`: answers a question from papers, in the mode that the reader chooses."""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pathfinder.cli.options import SearchCommand
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_pathfinder
from pathfinder.errors import BudgetExhausted
from pathfinder.models.ports import LoadedChat
from pathfinder.types import (
    Answer,
    AnswerEvent,
    AnswerRequest,
    Audience,
    Budget,
    Change,
    DigestForm,
    Done,
    Generation,
    Rewrite,
    SearchRequest,
    SearchResult,
    Specialisation,
    StepTaken,
    without_control_characters,
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
    from pathfinder.operations.ask import answer_lines, answer_record

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


def rewrite_answer(pf: "Pathfinder", answer: Answer, options: dict[str, Any]) -> Rewrite | None:
    """Rewrite the answer as requested; `None` if no rewrite was requested or, with a note, if there is no answer or the
    question's budget is spent.
    """
    audience, language = options["audience"], options["language"]
    if audience is None and not language:
        return None
    if answer.redirect is not None:
        write_notes(["the question is out of scope: there is no answer to rewrite"])
        return None
    try:
        rewrite = pf.rewrite(answer, audience, language)
    except BudgetExhausted as error:  # the answer is complete, and has been paid for
        write_notes([f"the answer was not rewritten: {error}"])
        return None
    write_notes((*rewrite.notes, *(f"not compared: {what}" for what in rewrite.fidelity.not_compared)))
    return rewrite


def rewrite_lines(rewrite: Rewrite) -> Iterator[str]:
    """Format the rewritten text and each changed fact."""
    where = f" in {rewrite.language}" if rewrite.language else ""
    yield ""
    yield f"rewritten{f' for: {rewrite.audience.value}' if rewrite.audience else ''}{where}"
    yield from map(without_control_characters, rewrite.text.split("\n"))
    changes = [("lost", change) for change in rewrite.fidelity.lost]
    changes += [("added", change) for change in rewrite.fidelity.added]
    if not changes:
        yield "of the facts compared, none was lost or added"
    for what, change in changes:
        yield _line(what, change)


def _line(what: str, change: Change) -> str:
    return f"  {what}: {change.kind.value} {without_control_characters(change.text)!r}: {change.reason}"


ask = SearchCommand(_ask, lambda: answer_options() | REWRITE_OPTIONS)

# The rewrite that `pathfinder ask --audience --language` adds to an answer, with the facts that were lost or added.

REWRITE_OPTIONS: dict[str, tuple[Any, Any]] = {
    "audience": (
        Annotated[Audience | None, typer.Option("--audience", help="Rewrite the answer for other readers.")],
        None,
    ),
    "language": (
        Annotated[
            str | None,
            typer.Option("--language", metavar="NAME", help="Rewrite the answer in another language, such as Spanish."),
        ],
        None,
    ),
}
"""Options for a rewrite, by name, with their defaults."""
