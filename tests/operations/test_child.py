"""Orders in a process of their own: what it reports, and what is left when it is stopped or crashes."""

import io
import os
import resource
import sys
from pathlib import Path

import pytest

from pathfinder.errors import CorpusError
from pathfinder.operations.child.orders import (
    Child,
    Message,
    Order,
    OrderState,
    StageProgress,
    read_message,
    read_order,
    write_message,
    write_order,
)
from pathfinder.operations.child.program import PREVIEW_BYTES, Messages, limit_memory, offer_to_the_killer, outcome

BUILD = Order("build", Path("corpus"), {"sources": ["library.bib", "arxiv:cat:astro-ph.GA"], "max_papers": 10})
PATIENCE = 60.0


def python(*lines: str) -> tuple[str, ...]:
    return sys.executable, "-c", "\n".join(("import sys, os, time", "order = sys.stdin.readline()", *lines))


def messages_of(text: str) -> tuple[Message, ...]:
    return tuple(map(read_message, text.splitlines()))


def test_an_order_is_read_back_as_it_was_written() -> None:
    assert read_order(write_order(BUILD)) == BUILD


def test_an_order_that_cannot_be_read_says_what_to_do() -> None:
    with pytest.raises(CorpusError, match=r"instructions for a build .*: discard them, and build again"):
        read_order('{"demolish": "work"}')


def test_an_option_that_an_operation_does_not_take_is_named() -> None:
    order = Order("rollback", options={"purge": True})
    assert "no setting is called 'purge'" in str(outcome(write_order(order), Messages(io.StringIO())).error)


def test_a_fault_of_an_order_is_its_last_message(tmp_path: Path) -> None:
    order = Order("preview", options={"sources": [str(tmp_path / "gone.bib")]})
    error = outcome(write_order(order), Messages(io.StringIO())).error
    assert error is not None
    assert "gone.bib does not exist" in error


def test_work_is_limited_before_it_opens_a_file(tmp_path: Path) -> None:
    limited: list[str] = []
    for order in (Order("preview", options={"sources": [str(tmp_path / "gone.bib")]}), Order("rollback", tmp_path)):
        assert outcome(write_order(order), Messages(io.StringIO()), before_work=limited.append).error
    assert limited == ["preview", "rollback"]


@pytest.mark.parametrize(
    ("work", "setting", "expected"),
    [("preview", None, PREVIEW_BYTES), ("preview", "2", 2_000_000_000), ("build", "3.5", 3_500_000_000),
     ("build", None, -1)],
)  # fmt: skip
def test_the_memory_of_work_has_the_limit_of_the_settings(
    monkeypatch: pytest.MonkeyPatch, work: str, setting: str | None, expected: int
) -> None:
    limits = [-1]
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limit: limits.extend(limit))
    if setting:
        monkeypatch.setenv("PATHFINDER_BUILD_MEMORY_GB", setting)
    limit_memory(work)
    assert limits[-1] == expected


def test_progress_is_reported_a_few_times_a_second_and_at_the_end_of_a_stage() -> None:
    seconds = iter([0.0, 0.1, 0.25, 0.25, 0.3])  # the start, two steps, the message of the second, the end
    file = io.StringIO()
    messages = Messages(file, lambda: next(seconds))
    messages.start("embedding", 3)
    messages.advance(1)
    messages.advance(1)
    messages.finish()
    stages = [message.stage for message in messages_of(file.getvalue())]
    assert stages == [
        StageProgress("embedding", 0, 3),
        StageProgress("embedding", 2, 3),
        StageProgress("embedding", 2, 3, is_over=True),
    ]


def test_an_order_that_is_complete_leaves_its_result_and_no_reminder(tmp_path: Path) -> None:
    reminder = tmp_path / "orders" / "stars.json"
    child = Child(BUILD, reminder, program=python('print(\'{"result": {"n_papers": 3}}\')'))
    assert child.wait(PATIENCE)
    assert (child.state, child.result, reminder.exists()) == (OrderState.COMPLETE, {"n_papers": 3}, False)


def test_an_order_that_was_stopped_can_be_resumed_from_its_reminder(tmp_path: Path) -> None:
    reminder = tmp_path / "stars.json"
    child = Child(BUILD, reminder, program=python("time.sleep(600)"))
    child.stop()
    assert child.state is OrderState.STOPPED
    assert read_order(reminder.read_bytes()) == BUILD


def test_an_order_that_is_stopped_once_its_result_is_there_is_complete() -> None:
    child = Child(BUILD, program=python('print(\'{"result": {"n_papers": 3}}\', flush=True)', "time.sleep(600)"))
    while child.result is None:
        assert not child.wait(0.01)
    child.stop()
    assert child.state is OrderState.COMPLETE


@pytest.mark.parametrize(("is_private", "others"), [(True, 0), (False, 0o044)])
def test_what_a_private_order_writes_is_closed_to_others(tmp_path: Path, is_private: bool, others: int) -> None:
    written = tmp_path / "corpus" / "papers"
    lines = (
        f"os.makedirs({str(written.parent)!r})",
        f"open({str(written)!r}, 'w').close()",
        "print('{\"result\": {}}')",
    )
    umask = os.umask(0o022)
    try:
        child = Child(BUILD, program=python(*lines), is_private=is_private)
    finally:
        os.umask(umask)
    assert child.wait(PATIENCE)
    assert (written.stat().st_mode & 0o066, written.parent.stat().st_mode & 0o066) == (others, others)


def test_a_process_that_crashes_is_a_failure_with_its_last_words() -> None:
    child = Child(BUILD, program=python("sys.stderr.write('out of cheese')", "sys.stderr.flush()", "os._exit(7)"))
    assert child.wait(PATIENCE)
    assert child.state is OrderState.FAILED
    assert child.error.startswith("the process ended with status 7 before it produced a result (out of cheese)")


def test_an_order_whose_process_was_killed_says_so_and_can_be_resumed(tmp_path: Path) -> None:
    reminder = tmp_path / "stars.json"
    child = Child(BUILD, reminder, program=python("os.kill(os.getpid(), 9)"))
    assert child.wait(PATIENCE)
    assert child.state is OrderState.FAILED
    assert child.error.startswith("the process was killed (signal 9) before it produced a result: nothing was damaged")
    assert read_order(reminder.read_bytes()) == BUILD


def test_a_process_that_builds_is_ended_before_the_app_when_memory_runs_out(tmp_path: Path) -> None:
    (tmp_path / "score").touch()
    offer_to_the_killer(tmp_path / "score")
    assert (tmp_path / "score").read_text(encoding="ascii") == "1000"
    offer_to_the_killer(tmp_path / "no" / "such")  # another system


def test_what_was_said_in_a_stage_that_is_over_is_not_said_any_more(tmp_path: Path) -> None:
    messages = [Message(note="waiting 40 s"), Message(stage=StageProgress("texts")), Message(note="a slow host")]
    messages += [Message(stage=StageProgress("texts", 1))]
    lines = [f"print({write_message(each)!r})" for each in messages]
    child = Child(BUILD, tmp_path / "stars.json", program=python(*lines))
    assert child.wait(PATIENCE)
    assert child.notes == ("a slow host",)


def test_a_key_reaches_the_process_through_its_environment_alone(tmp_path: Path) -> None:
    reminder = tmp_path / "stars.json"
    program = python("import json", "print(json.dumps({'note': os.environ['ZOTERO_API_KEY'] + ' ' + order.strip()}))")
    child = Child(BUILD, reminder, keys={"ZOTERO_API_KEY": "secret"}, program=program)
    assert child.wait(PATIENCE)
    assert child.notes == (f"secret {write_order(BUILD)}",)
    assert "secret" not in write_order(BUILD) + reminder.read_text(encoding="utf-8")
