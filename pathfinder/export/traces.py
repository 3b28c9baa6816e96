"""A trace as one JSON file, to be kept, handed on, replayed and gone on with; and read back, strictly.

Reading checks the form and nothing else: whether a run goes as its trace says is for a replay to find out.
"""

import json
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pathfinder.errors import UsageError
from pathfinder.types import Ended, Step, StepKind, Trace

FORMAT, VERSION = "pathfinder trace", 1

MAX_CHARACTERS = 5_000_000
"""Of a file that is read; a run of fifty actions has about a tenth."""
MAX_STEPS = 1_000
MAX_TEXT = 200_000

_Name = Annotated[str, Field(min_length=1, max_length=500)]
_Text = Annotated[str, Field(max_length=MAX_TEXT)]


class _StepRecord(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    kind: StepKind
    text: _Text
    tool: Annotated[str, Field(max_length=500)] | None
    arguments: Annotated[list[tuple[str, _Text | int | None]], Field(max_length=50)]
    paper_ids: Annotated[list[_Name], Field(max_length=500)]
    seconds: Annotated[float, Field(ge=0)] | None
    is_edited: bool


class _TraceRecord(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    format: Literal["pathfinder trace"]
    version: Literal[1]
    question: _Text
    generation: _Name
    ended: Ended
    branched_at: Annotated[int, Field(ge=0)] | None
    steps: Annotated[list[_StepRecord], Field(max_length=MAX_STEPS)]


def to_json(trace: Trace) -> str:
    """`trace` as JSON, indented; `from_json` gives it back, equal."""
    steps = [
        {
            "kind": step.kind.value,
            "text": step.text,
            "tool": step.tool,
            "arguments": [list(argument) for argument in step.arguments],
            "paper_ids": list(step.paper_ids),
            "seconds": step.seconds,
            "is_edited": step.is_edited,
        }
        for step in trace.steps
    ]
    record = {
        "format": FORMAT,
        "version": VERSION,
        "question": trace.question,
        "generation": trace.generation,
        "ended": trace.ended.value,
        "branched_at": trace.branched_at,
        "steps": steps,
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def from_json(text: str | bytes) -> Trace:
    """Read back what `to_json` wrote. Raises `UsageError`, naming the place, for anything else."""
    if len(text) > MAX_CHARACTERS:
        raise UsageError(f"the file is too long for a trace ({len(text):,} of at most {MAX_CHARACTERS:,} characters)")
    try:
        record = _TraceRecord.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise UsageError(f"this is no trace that was saved here ({place}: {first['msg']})") from None
    if record.branched_at is not None and record.branched_at >= len(record.steps):
        raise UsageError(f"this is no trace that was saved here (branched_at: there is no step {record.branched_at})")
    steps = tuple(_step(step) for step in record.steps)
    return Trace(record.question, record.generation, steps, record.ended, record.branched_at)


def _step(record: _StepRecord) -> Step:
    return Step(
        record.kind,
        record.text,
        record.tool,
        tuple(record.arguments),
        tuple(record.paper_ids),
        record.seconds,
        record.is_edited,
    )
