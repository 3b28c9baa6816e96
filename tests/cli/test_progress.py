"""Progress of a build: bars on a terminal, lines in a log."""

import io
import itertools

from rich.console import Console

from pathfinder.cli.progress import BarProgress, LineProgress, build_progress


def test_without_a_terminal_each_stage_is_told_in_lines(capsys):
    with build_progress() as progress:
        assert isinstance(progress, LineProgress)
        progress.start("embedding", 300)
        progress.advance(128)
        progress.finish()
        progress.start("mapping", None)
        progress.finish()
    err = capsys.readouterr().err.splitlines()
    assert err[0] == "embedding: 0 of 300"
    assert err[1].startswith("embedding: done in ")
    assert err[2].startswith("mapping: done in ")
    assert len(err) == 3


def test_every_ten_seconds_a_line_tells_the_rate_and_the_time_left(capsys):
    seconds = iter([0.0, 5.0, 10.0, 11.0])
    progress = LineProgress(clock=lambda: next(seconds))
    progress.start("embedding", 300)
    progress.advance(50)
    progress.advance(50)
    progress.advance(50)
    assert capsys.readouterr().err.splitlines() == [
        "embedding: 0 of 300",
        "embedding: 100 of 300, 10.0 a second, 20 s left",
    ]


def test_on_a_terminal_a_bar_shows_the_rate_and_the_time_left():
    terminal = io.StringIO()
    seconds = itertools.count()
    bars = BarProgress(Console(file=terminal, force_terminal=True, width=120), clock=lambda: next(seconds))
    with bars.drawing():
        bars.say("it will cost about $0.40 [not markup]")
        bars.start("embedding", 256)
        bars.advance(128)
        bars.advance(128)
        bars.finish()
        bars.start("mapping", None)
        bars.finish()
    output = terminal.getvalue()
    assert "it will cost about $0.40 [not markup]" in output
    assert "embedding" in output
    assert "/s" in output
