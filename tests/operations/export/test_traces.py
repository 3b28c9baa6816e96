import json

import pytest

from pathfinder.errors import UsageError
from pathfinder.operations.export.traces import MAX_CHARACTERS, from_json, to_json
from pathfinder.types import Ended, Step, StepKind, Trace

TRACE = Trace(
    "How old are the stars — and why?",
    "agent",
    (
        Step(StepKind.THOUGHT, 'It says "look" </source>\n$x$', seconds=0.5),
        Step(StepKind.ACTION, "search", "search", (("query", "stars"), ("year_from", 1998), ("year_to", None))),
        Step(StepKind.OBSERVATION, "Two.", paper_ids=("a", "b"), seconds=1.0, is_edited=True),
        Step(StepKind.FINAL, "Old [k3q7z]."),
    ),
    Ended.STEPS,
    branched_at=2,
)


def record(**changes):
    return json.loads(to_json(TRACE)) | changes


def with_step(**changes):
    steps = record()["steps"]
    return record(steps=[steps[0] | changes, *steps[1:]])


def test_a_trace_that_was_saved_is_read_back_equal():
    assert from_json(to_json(TRACE)) == TRACE
    assert from_json(to_json(TRACE).encode()) == TRACE


def test_a_trace_without_steps_is_read_back_equal():
    empty = Trace("q", "agent", (), Ended.FAILED)
    assert from_json(to_json(empty)) == empty


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "Invalid JSON"),
        ("[]", "should be an object"),
        ("{", "Invalid JSON"),
        ("\ud800", "valid string"),
        (b"\xff\xfe", "Invalid JSON"),
        (json.dumps(record(format="other")), "format"),
        (json.dumps(record(version=2)), "version"),
        (json.dumps(record(ended="because")), "ended"),
        (json.dumps(record(branched_at=4)), "branched_at"),
        (json.dumps(record(branched_at=True)), "branched_at"),
        (json.dumps(record(extra=1)), "extra"),
        (json.dumps({"format": "pathfinder trace"}), "version"),
        (json.dumps(with_step(kind="dream")), "steps.0.kind"),
        (json.dumps(with_step(text=5)), "steps.0.text"),
        (json.dumps(with_step(seconds=-1.0)), "steps.0.seconds"),
        (json.dumps(with_step(seconds=float("nan"))), "steps.0.seconds"),
        (json.dumps(with_step(arguments=[["query", ["a", "list"]]])), "steps.0.arguments"),
        (json.dumps(with_step(arguments=[["query", True]])), "steps.0.arguments"),
        (json.dumps(with_step(is_edited=1)), "steps.0.is_edited"),
        (json.dumps(with_step(shell="rm")), "steps.0.shell"),
        (json.dumps(record(steps=record()["steps"] * 300)), "steps"),
    ],
)
def test_anything_else_is_refused_with_its_place(text, place):
    with pytest.raises(UsageError, match="not a trace saved by Pathfinder") as error:
        from_json(text)
    assert place in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_too_long_is_not_even_read():
    with pytest.raises(UsageError, match="too long for a trace"):
        from_json(" " * (MAX_CHARACTERS + 1))
