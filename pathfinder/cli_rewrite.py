"""What `pathfinder ask --audience --language` adds to an answer: the answer told anew, and what that lost or added."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathfinder.cli_output import write_notes
from pathfinder.types import Answer, Audience, Change, Rewrite, without_control_characters

if TYPE_CHECKING:
    from pathfinder.explorer import Pathfinder

REWRITE_OPTIONS: dict[str, tuple[Any, Any]] = {
    "audience": (
        Annotated[Audience | None, typer.Option("--audience", help="Tell the answer anew for other readers.")],
        None,
    ),
    "language": (
        Annotated[
            str | None,
            typer.Option("--language", metavar="NAME", help="Tell the answer anew in a language, such as Spanish."),
        ],
        None,
    ),
}
"""As `ANSWER_OPTIONS` of `cli_ask`."""


def rewritten(pf: "Pathfinder", answer: Answer, options: dict[str, Any]) -> Rewrite | None:
    """The answer told anew as the options say; `None` where they say nothing, or there is no answer, which is noted."""
    audience, language = options["audience"], options["language"]
    if audience is None and not language:
        return None
    if answer.redirect is not None:
        write_notes(["the question was led elsewhere: there is no answer to tell anew"])
        return None
    told = pf.rewrite(answer, audience, language)
    write_notes((*told.notes, *(f"not compared: {what}" for what in told.fidelity.not_compared)))
    return told


def rewrite_lines(told: Rewrite) -> Iterator[str]:
    """The new text, and each change."""
    where = f" in {told.language}" if told.language else ""
    yield ""
    yield f"told anew{f' for: {told.audience.value}' if told.audience else ''}{where}"
    yield from map(without_control_characters, told.text.split("\n"))
    changes = [("lost", change) for change in told.fidelity.lost]
    changes += [("added", change) for change in told.fidelity.added]
    if not changes:
        yield "nothing that is compared was lost or added"
    for what, change in changes:
        yield _line(what, change)


def _line(what: str, change: Change) -> str:
    return f"  {what}: {change.kind.value} {without_control_characters(change.text)!r}: {change.reason}"
