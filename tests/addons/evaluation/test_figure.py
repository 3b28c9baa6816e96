import subprocess
import sys
from pathlib import Path

import pytest

from pathfinder.addons.evaluation.ranking_panel import MethodMean, evaluation_figure


def test_an_evaluation_without_methods_is_an_empty_figure():
    assert len(evaluation_figure("ndcg@10", []).data[0].x) == 0


def test_each_method_is_a_dot_with_its_interval_the_first_on_top():
    bars = [MethodMean("bm25", 0.5, 0.4, 0.7), MethodMean("<dense>", 0.6, 0.55, 0.65)]
    figure = evaluation_figure("ndcg@10", bars)
    (dots,) = figure.data
    assert (dots.x, dots.y) == ((0.5, 0.6), ("bm25", "&lt;dense&gt;"))
    assert dots.error_x.array == pytest.approx((0.7 - 0.5, 0.65 - 0.6))
    assert dots.error_x.arrayminus == pytest.approx((0.5 - 0.4, 0.6 - 0.55))
    assert dots.hovertext[0] == "bm25: 0.500 [0.40, 0.70]"
    assert (figure.layout.yaxis.autorange, figure.layout.xaxis.title.text) == ("reversed", "ndcg@10")
    assert figure.layout.shapes[0].x0 == 0.5


def test_a_figure_waits_for_pandas_that_another_thread_is_loading(tmp_path: Path) -> None:
    (tmp_path / "pandas.py").write_text(
        "loading.set()\ngo_on.wait(300)\nclass Series: pass\nclass Index: pass\nclass DataFrame: pass\n"
        "class Timestamp: pass\nNaT = object()\n",
        encoding="utf-8",
    )
    script = f"""
import builtins, sys, threading
builtins.loading, builtins.go_on = threading.Event(), threading.Event()
from pathfinder.addons.evaluation.ranking_panel import MethodMean, evaluation_figure
sys.path.insert(0, {str(tmp_path)!r})
threading.Thread(target=lambda: __import__("pandas")).start()
loading.wait()
drawn = threading.Thread(target=lambda: evaluation_figure("nDCG@10", [MethodMean("bm25", 0.5, 0.4, 0.6)]))
drawn.start()
drawn.join(0.5)
print(drawn.is_alive())
go_on.set()
drawn.join()
"""
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (process.stdout, process.stderr, process.returncode) == ("True\n", "", 0)
