"""The commands for feedback: pathfinder feedback export | summary | suggest | withdraw | delete."""

import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines
from pathfinder.errors import UsageError
from pathfinder.settings import read_settings

if TYPE_CHECKING:
    from pathfinder.addons.feedback.judgements import FeedbackStore

feedback = typer.Typer(
    rich_markup_mode=None,
    help="Readers' judgements, in the folder PATHFINDER_DATA: export them, learn weights from them, delete them.",
)

_Corpus = Annotated[
    list[str] | None,
    typer.Option(
        "--corpus", metavar="ID", help="Only judgements on this corpus; `pathfinder data list` shows the ids."
    ),
]


@feedback.command()
def export(corpus: _Corpus = None) -> None:
    """Print all judgements as JSON, without the codes with which readers can withdraw them."""
    from pathfinder.export.plain_json import as_json

    judgements = [as_json(judgement) for judgement in _store().judgements(corpus or ())]
    write_json({"judgements": [{key: part for key, part in each.items() if key != "code"} for each in judgements]})


@feedback.command()
def summary(corpus: _Corpus = None) -> None:
    """Count the judgements, and correlate the thumbs up and down for papers with the papers' scores, as JSON."""
    from pathfinder.addons.feedback.learning import summarise
    from pathfinder.export.plain_json import as_json

    write_json(as_json(summarise(_store().judgements(corpus or ()))))


@feedback.command()
def suggest(corpus: _Corpus = None, as_json: JsonFlag = False) -> None:
    """Learn weights from the judgements, and say whether they would help; nothing is applied."""
    from pathfinder.addons.feedback.learning import suggest as learned
    from pathfinder.export.plain_json import as_json as plain
    from pathfinder.types import Weighting

    suggestion = learned(_store().judgements(corpus or ()), Weighting())
    strengths = suggestion.weighting.strengths
    if as_json:
        write_json(
            {
                "strengths": strengths,
                "is_supported": suggestion.is_supported,
                "reason": suggestion.reason,
                **{key: part for key, part in plain(suggestion).items() if key != "weighting"},
            }
        )
    else:
        write_lines((suggestion.reason, *(f"{name}: {strength:g}" for name, strength in strengths.items())))


@feedback.command()
def withdraw(
    code: Annotated[str, typer.Argument(metavar="CODE", help="Code that was shown with the judgement.")],
) -> None:
    """Delete the judgement with the given code."""
    if not _store().withdraw(code):
        raise UsageError(
            f"no judgement has the code {code!r}: it may have been withdrawn, or deleted because of its age"
        )
    write_lines(("withdrawn",))


@feedback.command()
def delete(
    older_than: Annotated[
        int | None,
        typer.Option("--older-than", metavar="DAYS", min=0, help="Only judgements older than this number of days."),
    ] = None,
) -> None:
    """Delete all judgements, or only old ones."""
    store = _store()
    if older_than is None:
        n = store.delete_all()
    else:
        n = store.forget_before(datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(days=older_than))
    write_lines((f"{n} deleted",))


def _store() -> "FeedbackStore":
    from pathfinder.addons.feedback.judgements import FeedbackStore
    from pathfinder.user_data import data_folder

    return FeedbackStore(data_folder(read_settings()))
