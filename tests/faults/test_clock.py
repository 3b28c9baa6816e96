"""A clock that jumps back: durations are measured with another clock, and days may come twice."""

import ast
import datetime
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest

from pathfinder.addons.feedback.judgements import FeedbackStore
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.guard import Door
from tests.feedback_made import DAY, JUDGED

ROOT = Path(__file__).parents[2]

WALL_CLOCK = {
    "pathfinder/serving/guard.py",  # begins everybody's minute anew when the clock is put back: below
    "pathfinder/sources/http/pace.py",  # waits no longer than the pause itself: tests/sources
    "pathfinder/ui/places/library.py",  # keeps visitors' corpora longer, or for a shorter time
    "pathfinder/ui/corpus/uploads.py",  # keeps files that nobody uses longer, or for a shorter time
}
"""Modules that read the time of day in seconds, each with what a jump does there."""


def test_durations_are_measured_with_a_clock_that_nobody_puts_back() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "pathfinder").rglob("*.py")}
    readers = {
        path.relative_to(ROOT).as_posix()
        for path, text in texts.items()
        if "time.time" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "time.time"
    }
    assert readers == WALL_CLOCK


def test_judgements_of_a_day_that_comes_twice_are_all_there(tmp_path: Path) -> None:
    store = FeedbackStore(tmp_path)
    for number, days in enumerate((0, 1, -1, 0)):
        store.add(replace(JUDGED, code=f"code-{number}", day=DAY + datetime.timedelta(days)))
    assert [each.code for each in store.judgements()] == ["code-2", "code-0", "code-3", "code-1"]
    assert store.forget_before(DAY) == 1


def test_a_clock_that_is_put_back_locks_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000_000.0]
    monkeypatch.setattr("limits.storage.memory.time", SimpleNamespace(time=lambda: now[0]))
    statuses: list[int] = []

    async def passed_on(*_: object) -> None:
        statuses.append(200)

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def call() -> None:
        scope = {"type": "http", "path": "/api/v1/search", "headers": [], "client": ("192.0.2.1", 1)}
        await door(scope, None, send)  # type: ignore[arg-type]

    async def calls() -> None:
        for seconds in (0.0, 1.0, 1.0, -3600.0, 1.0, 1.0):
            now[0] += seconds
            await call()

    door = Door(passed_on, ServerAccess("0.0.0.0", per_minute=2), clock=lambda: now[0])  # type: ignore[arg-type]
    anyio.run(calls)
    assert statuses == [200, 200, 429, 200, 200, 429]
