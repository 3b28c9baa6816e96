"""The operations on feedback: judgements are exported, summarised, withdrawn and deleted."""

import datetime
import json
from functools import partial
from typing import Annotated, TypeAlias

from pydantic import Field

from pathfinder.addons.feedback.judgements import FeedbackStore
from pathfinder.addons.feedback.summary import summarise
from pathfinder.errors import UsageError
from pathfinder.export.plain_json import JsonObject, as_json
from pathfinder.operations.operation import Declarer, Shell, declare
from pathfinder.settings import read_settings
from pathfinder.user_data import data_folder

_OF_CORPUS = "Only judgements on this corpus; `pathfinder data list` shows the ids."
_Corpora: TypeAlias = Annotated[list[str] | None, Shell("--corpus ID", _OF_CORPUS)]
_declare: Declarer = partial(declare, settings=(), opens="nothing")
_declare_json: Declarer = partial(_declare, lines=lambda record: (json.dumps(record, allow_nan=False, indent=1),))


def _store() -> FeedbackStore:
    return FeedbackStore(data_folder(read_settings()))


@_declare_json("feedback export")
def export(_: None, corpora: _Corpora = None) -> JsonObject:
    """Print all judgements as JSON, without the codes with which readers can withdraw them."""
    judgements = map(as_json, _store().judgements(corpora or ()))
    return {"judgements": [{key: part for key, part in each.items() if key != "code"} for each in judgements]}


@_declare_json("feedback summary")
def summary(_: None, corpora: _Corpora = None) -> JsonObject:
    """Count the judgements, and correlate the thumbs up and down for papers with the papers' scores, as JSON."""
    record: JsonObject = as_json(summarise(_store().judgements(corpora or ())))
    return record


@_declare("feedback withdraw", lines=lambda _: ("withdrawn",))
def withdraw(_: None, code: Annotated[str, Shell("CODE", "Code that was shown with the judgement.")]) -> JsonObject:
    """Delete the judgement with the given code."""
    if not _store().withdraw(code):
        raise UsageError(
            f"no judgement has the code {code!r}: it may have been withdrawn, or deleted because of its age"
        )
    return {"code": code}


@_declare("feedback delete", lines=lambda done: (f"{done['n']} deleted",))
def delete(
    _: None,
    older_than: Annotated[
        int | None,
        Shell("--older-than DAYS", "Only judgements older than this number of days."),
        Field(ge=0),
    ] = None,
) -> JsonObject:
    """Delete all judgements, or only old ones."""
    if older_than is None:
        return {"n": _store().delete_all()}
    return {"n": _store().forget_before(datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(older_than))}
