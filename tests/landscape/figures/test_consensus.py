import subprocess
import sys
from pathlib import Path

from pathfinder.answering.assessment.consensus.history import history
from pathfinder.landscape.figures.consensus import describe_history, history_figure
from pathfinder.types import ConsensusHistory, Stance, StanceLabel

EMPTY = ConsensusHistory((), None, "Nothing can be told.")


def of(*marks):
    """Make the history of these (year, stance) pairs."""
    stances = [
        Stance(f"p{i}", "A title", year, StanceLabel(label), "A quote.") for i, (year, label) in enumerate(marks)
    ]
    return history(stances)


FLIP = of(*[(1990 + i, "refutes") for i in range(6)], *[(1998 + i, "supports") for i in range(8)], (1999, "mixed"))


def traces(history):
    return {trace.name: trace for trace in history_figure(history).data}


def test_no_papers_are_an_empty_figure():
    assert all(not trace.x for trace in history_figure(EMPTY).data)
    assert describe_history(EMPTY) == "No paper counts towards the consensus in any year."


def test_the_bars_are_the_papers_of_each_year_alone():
    bars = traces(of((1990, "refutes"), (1990, "refutes"), (1991, "supports"), (1993, "mixed")))
    assert list(bars["against"].x) == [1990, 1991, 1992, 1993]
    assert list(bars["against"].y) == [-2, 0, 0, 0]
    assert list(bars["for"].y) == [0, 1, 0, 0]
    assert list(bars["mixed"].y) == [0, 0, 0, 1]
    assert bars["against"].hovertext[0] == "1990: 2 against"


def test_the_line_is_of_all_papers_until_each_year_and_dotted_while_they_are_too_few():
    line = traces(FLIP)
    # The fifth paper is from 1994: from then on there is a level, and the dotted line leads up to it.
    assert list(line["too few papers so far"].x) == [1990, 1991, 1992, 1993, 1994]
    whole_line = line["all papers up to that year"]
    assert (whole_line.x[0], whole_line.y[0]) == (1994, -1.0)
    assert whole_line.hovertext[0] == "until 1994: Strong Disagreement<br>0 for, 5 against, 0 mixed"


def test_the_year_of_a_change_is_marked_before_its_papers():
    figure = history_figure(FLIP)
    assert FLIP.changed_in == 1998
    assert {shape.x0 for shape in figure.layout.shapes if shape.x0 == shape.x1} == {1997.5}
    assert [note.text for note in figure.layout.annotations] == ["changed in 1998"]


def test_where_nothing_changed_no_year_is_marked():
    assert not history_figure(of((1990, "supports"))).layout.annotations


def test_for_and_against_differ_in_direction_and_in_colour():
    bars = traces(FLIP)
    assert bars["for"].marker.color != bars["against"].marker.color
    assert max(bars["for"].y) > 0 > min(bars["against"].y)


def test_the_figure_in_words():
    assert describe_history(FLIP) == (
        "15 papers count, from 1990 to 2005: 8 for the statement, 6 against it, 1 mixed; overall No Clear Consensus."
    )
    assert describe_history(of((1990, "supports"))).startswith("1 paper counts, from 1990 to 1990: ")


def test_a_figure_waits_for_pandas_that_another_thread_is_loading(tmp_path: Path) -> None:
    (tmp_path / "pandas.py").write_text(
        "loading.set()\ngo_on.wait(300)\nclass Series: pass\nclass Index: pass\nclass DataFrame: pass\n"
        "class Timestamp: pass\nNaT = object()\n",
        encoding="utf-8",
    )
    script = f"""
import builtins, sys, threading
builtins.loading, builtins.go_on = threading.Event(), threading.Event()
from pathfinder.landscape.figures.consensus import history_figure
from pathfinder.types import ConsensusHistory
sys.path.insert(0, {str(tmp_path)!r})
threading.Thread(target=lambda: __import__("pandas")).start()
loading.wait(300)
drawn = threading.Thread(target=lambda: history_figure(ConsensusHistory((), None, "")))
drawn.start()
drawn.join(0.5)
print(drawn.is_alive())
go_on.set()
drawn.join()
"""
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (process.stdout, process.stderr, process.returncode) == ("True\n", "", 0)
