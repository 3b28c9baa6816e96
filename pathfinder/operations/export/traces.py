"""Saves a trace as a JSON file, to be shared, replayed and continued, and reads it back strictly.

Reading checks only the format; a replay shows whether a run reproduces its trace.
"""

import json
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from pathfinder.errors import UsageError
from pathfinder.operations.export.plain_json import same_names, select
from pathfinder.text.strict_json import parse_as
from pathfinder.types import Ended, NoticeKind, Step, StepKind, Trace

FORMAT, VERSION = "pathfinder trace", 1

MAX_CHARACTERS = 5_000_000
"""Maximum length of a file that is read, in characters; a run of fifty actions needs about a tenth of that."""
MAX_STEPS = 1_000
MAX_TEXT = 200_000

_Name = Annotated[str, Field(min_length=1, max_length=500)]
_Text = Annotated[str, Field(max_length=MAX_TEXT)]


_OPENINGS = (
    ("The step budget is spent: the answer is given with what was found.", NoticeKind.BUDGET_SPENT),
    ("The time budget is spent: the answer is given with what was found.", NoticeKind.BUDGET_SPENT),
    ("The token budget is spent: the answer is given with what was found.", NoticeKind.BUDGET_SPENT),
    ("It asked for the same again after it was told: the answer is given with what was found.", NoticeKind.LOOP),
    ("The chat model failed: ", NoticeKind.CHAT_FAILED),
    ("The chat model said nothing: it is asked once more", NoticeKind.CHAT_SILENT),
    ("The last call of the chat model failed: ", NoticeKind.LAST_CALL_FAILED),
    ("Refused: ", NoticeKind.REFUSED),
    ("Not done again: ", NoticeKind.REPEATED),
    ("The search failed: ", NoticeKind.SEARCH_FAILED),
)
"""Opening words of notices in files of version 0.1.0, which have no `notice` field; they stay the same when notices are
reworded.
"""


class _StepRecord(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    kind: StepKind
    text: _Text
    tool: Annotated[str, Field(max_length=500)] | None
    arguments: Annotated[tuple[tuple[str, _Text | int | None], ...], Field(max_length=50)]
    paper_ids: Annotated[tuple[_Name, ...], Field(max_length=500)]
    seconds: Annotated[float, Field(ge=0)] | None
    is_edited: bool
    notice: NoticeKind | None = None
    reason: _Text | None = None


class _TraceRecord(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    format: Literal["pathfinder trace"]
    version: Literal[1]
    question: _Text
    generation: _Name
    ended: Ended
    branched_at: Annotated[int, Field(ge=0)] | None
    steps: Annotated[tuple[_StepRecord, ...], Field(max_length=MAX_STEPS)]


def to_json(trace: Trace) -> str:
    """Write `trace` as indented JSON; `from_json` returns an equal trace."""
    record = {
        "format": FORMAT,
        "version": VERSION,
        **select(trace, same_names("question generation ended branched_at steps")),
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def from_json(text: str | bytes) -> Trace:
    """Read a trace written by `to_json`. Raises `UsageError`, which says where the error is, for anything else."""
    if len(text) > MAX_CHARACTERS:
        raise UsageError(
            f"the file is too long for a trace: {len(text):,} characters instead of at most {MAX_CHARACTERS:,}"
        )
    try:
        record = parse_as(TypeAdapter(_TraceRecord), text)
    except ValueError as error:
        raise UsageError(f"this is not a trace saved by Pathfinder ({error})") from None
    if record.branched_at is not None and record.branched_at >= len(record.steps):
        raise UsageError(
            f"this is not a trace saved by Pathfinder (branched_at: there is no step {record.branched_at})"
        )
    steps = tuple(_step(step) for step in record.steps)
    return Trace(record.question, record.generation, steps, record.ended, record.branched_at)


def _step(record: _StepRecord) -> Step:
    step = Step(**dict(record))
    if step.notice is not None or step.kind is not StepKind.NOTICE:
        return step
    kind, opening = next(((kind, opening) for opening, kind in _OPENINGS if step.text.startswith(opening)), (None, ""))
    has_reason = kind in (NoticeKind.CHAT_FAILED, NoticeKind.LAST_CALL_FAILED)
    return replace(step, notice=kind, reason=step.text.removeprefix(opening) if has_reason else None)
