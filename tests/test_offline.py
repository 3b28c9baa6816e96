"""A question is asked and answered with no network, in a process of its own, and without what serving does not need."""

import json
import subprocess
import sys
from pathlib import Path

from tests.contract.workspace import fill

ROOT = Path(__file__).parents[1]
NOT_FOR_SERVING = ("umap", "sklearn", "pandas", "torch", "streamlit", "plotly", "langchain", "openai")

ASK_AND_ANSWER = """
import json, sys
from tests import guard

guard.install()
from pathfinder import Pathfinder, Weighting

pf = Pathfinder.open(sys.argv[1])
result = pf.search("What is the value of the Hubble constant?", year_from=1900)
again = pf.reweigh(result, Weighting(1, 1, 1))
answer = pf.answer(result)
print(json.dumps([len(again.hits), answer.text, pf.landscape is not None, guard.attempts, list(sys.modules)]))
"""


def run(script: str, *arguments: str | Path, home: Path) -> str:
    """What `script` prints, run with a home folder of its own and nothing else set."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, env=environment, cwd=home, check=True, capture_output=True, text=True).stdout


def test_a_question_is_asked_and_answered_without_a_network(golden_corpus: Path, tmp_path: Path) -> None:
    n_hits, answer, has_map, attempts, modules = json.loads(run(ASK_AND_ANSWER, golden_corpus, home=tmp_path))
    assert (n_hits, has_map, attempts) == (10, True, [])
    assert "Hubble constant" in answer
    assert sorted({module.partition(".")[0] for module in modules} & set(NOT_FOR_SERVING)) == []
    assert list(tmp_path.iterdir()) == []  # no cache, no log, no report about anyone


def test_a_corpus_of_0_1_0_is_opened_without_what_no_search_needs(tmp_path: Path) -> None:
    script = "import json, sys; from pathfinder import Pathfinder; Pathfinder.open(sys.argv[1]); "
    corpus = fill(tmp_path) / "bees"  # without the columns that came later
    modules = json.loads(run(f"{script} print(json.dumps([*sys.modules]))", corpus, home=tmp_path))
    assert "pyarrow" in modules
    assert sorted({module.partition(".")[0] for module in modules} & {*NOT_FOR_SERVING, "rapidfuzz"}) == []


def test_the_guard_of_that_process_refuses_what_leaves_this_machine(tmp_path: Path) -> None:
    script = """
import socket
from tests import guard

guard.install()
try:
    socket.create_connection(("192.0.2.1", 80), timeout=1)
except guard.NetworkBlocked:
    print(guard.attempts)
"""
    assert "192.0.2.1" in run(script, home=tmp_path)
