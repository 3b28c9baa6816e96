"""The rewrite that `pathfinder ask --audience --language` adds to an answer, with the facts that were lost or added."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfinder.cli.output import write_notes
from pathfinder.errors import BudgetExhausted
from pathfinder.types import Answer, Audience, Change, Rewrite, without_control_characters

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

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
