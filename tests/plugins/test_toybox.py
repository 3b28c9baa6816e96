"""A package outside Pathfinder adds one toy of each kind, and each is found in `--help`, on the page and in results.

Registries are filled once a process, so the whole is tried in a process of its own that has `toybox` installed.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.build

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TITLES = (
    "Galaxies form early",
    "How galaxies form stars in the early universe",
    "Pulsars",
    "Quasars",
    "Comets",
    "Dust",
)
RECORDS = "".join(f"p{number} | {title} | {2015 + number}\n" for number, title in enumerate(TITLES, start=1))

ASK_PAGE = """
import json
from streamlit.testing.v1 import AppTest
page = AppTest.from_file("pathfinder/ui/places/ask.py", default_timeout=300)
page.query_params["q"] = "How do galaxies form?"
page.session_state["to-search"] = page.session_state["more-weights"] = True
page.run()
assert not page.exception, page.exception
modes = next(box for box in page.selectbox if box.label == "Mode")
written = "".join(part.proto.json for part in page.get("bidi_component"))
switches = [toggle.label for toggle in page.toggle]
page.button_group(key="papers-as").set_value("ToyList").run()
assert not page.exception, page.exception
listed = "".join(part.value for part in page.markdown)
print(json.dumps({"modes": list(modes.options), "switches": switches, "text": written, "listed": listed}))
"""

MAP_PAGE = """
import json
from streamlit.testing.v1 import AppTest
from pathfinder.ui.map import live_canvas
drawn, reply = [], live_canvas.reply
live_canvas.reply = lambda scene, *rest: drawn.append(scene) or reply(scene, *rest)
page = AppTest.from_file("pathfinder/ui/places/map.py", default_timeout=300).run()
switches = [option for group in page.get("button_group") for option in group.options]
page.query_params["layer"] = "toycorner"
page.run()
assert not page.exception, page.exception
marks = [mark["text"] for layer in drawn[-1]["layers"] for mark in layer["marks"]]
written = "".join(part.value for part in page.markdown)
print(json.dumps({"switches": switches, "before": drawn[0]["layers"], "marks": marks, "text": written}))
"""

MAP_LAYERS = """
import json, sys
from pathfinder import Pathfinder
pf = Pathfinder.open(sys.argv[1])
marks = [mark.text for mark in pf.layer("toycorner").marks]
print(json.dumps({"listed": [layer.slug for layer in pf.layers()], "marks": marks, "toys": pf.count_toys()}))
"""


ABOUT_PAGE = """
from streamlit.testing.v1 import AppTest
page = AppTest.from_file("pathfinder/ui/places/app.py", default_timeout=300).run()
assert not page.exception, page.exception
page = AppTest.from_file("pathfinder/ui/places/about.py", default_timeout=300).run()
assert not page.exception, page.exception
print(json.dumps("".join(part.value for part in (*page.markdown, *page.warning))))
"""

COMMANDS = """
import contextlib, io, json, sys
from pathfinder.cli import main
for arguments in json.loads(sys.argv[1]):
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        status = main(arguments)
    assert status == 0, (arguments, status)
    print(json.dumps(written.getvalue()))
"""

MODE_OF_LINK = """
from pathfinder.ui.shared.address import from_parameters, to_parameters
form, notes = from_parameters({"q": "x", "answer": "toy-titles"})
assert not notes, notes
assert form.answering.generation == "toy-titles"
assert to_parameters(form)[0] == {"q": "x", "answer": "toy-titles"}
"""


def run(arguments: Sequence[str], **environment: str) -> str:
    """Run Python with `toybox` on its path, and return what it printed."""
    path = os.pathsep.join([str(HERE / "toybox"), str(ROOT)])
    process = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200", "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def pathfinder(*arguments: str, **environment: str) -> str:
    return run(["-c", "import sys; from pathfinder.cli import main; sys.exit(main())", *arguments], **environment)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus that the toy reader read and the toy embedder embedded."""
    folder = tmp_path_factory.mktemp("toys")
    (folder / "papers.toy").write_text(RECORDS, encoding="utf-8")
    pathfinder("build", str(folder / "papers.toy"), "--out", str(folder / "corpus"), "--embedder", "toybox:16")
    return folder / "corpus"


@pytest.fixture(scope="module")
def pages(corpus: Path) -> dict[str, Any]:
    """What the pages show on the corpus; a single process runs them all."""
    lines = run(["-c", f"{ASK_PAGE}\n{MAP_PAGE}\n{ABOUT_PAGE}"], PATHFINDER_CORPUS=str(corpus)).splitlines()
    return dict(zip(("ask", "map", "about"), map(json.loads, lines[-3:]), strict=True))


@pytest.fixture(scope="module")
def written(corpus: Path) -> dict[str, str]:
    """Output of commands on the corpus, by name; a single process runs them all."""
    at, question = ("--corpus", str(corpus)), "How do galaxies form?"
    commands = {
        "build help": ("build", "--help"),
        "search help": ("search", "--help"),
        "ask help": ("ask", "--help"),
        "shelf help": ("shelf", "list", "--help"),
        "info": ("info", str(corpus), "--json"),
        "weight": ("search", "galaxies", *at, "--weight-brevity", "1", "--json"),
        "mode": ("ask", question, *at, "--generation", "toy-titles", "--json"),
        "reranker": ("search", "galaxies", *at, "--reranker", "toybox:any", "--json"),
        "layers": ("map", "--list", *at),
        "sources": ("sources",),
        "preview": ("preview", "toys:bear train", "--json"),
        "toys": ("toys",),
    }
    lines = run(["-c", COMMANDS, json.dumps([*commands.values()])]).splitlines()
    return dict(zip(commands, map(json.loads, lines), strict=True))


def test_a_reader_and_an_embedder_of_another_package_build_a_corpus(written: dict[str, str]):
    record = json.loads(written["info"])
    assert (record["counts"]["papers"], record["embedder"]) == (6, "fake:hash-16")
    assert "atom, toy-lines" in written["build help"]


def test_a_source_of_another_package_is_listed_and_read(written: dict[str, str]):
    assert "toys:WORD...: Toy papers" in written["sources"]
    (preview,) = json.loads(written["preview"])["sources"]
    assert [paper["title"] for paper in preview["papers"]] == ["A toy bear", "A toy train"]


@pytest.mark.parametrize(
    ("command", "vendors"),
    [
        ("build help", "by default the corpus's own, or the local one. Vendors: local, onnx, openai,"),
        ("search help", "say, cohere:rerank-v3.5. Vendors: cohere, cross-encoder, onnx,"),
        ("ask help", "PATHFINDER_CHAT_MODEL=VENDOR:MODEL. Vendors: toybox, and those of LangChain"),
    ],
)
def test_the_vendors_of_another_package_are_named_in_the_help(written: dict[str, str], command: str, vendors: str):
    words = " ".join(written[command].split())
    assert vendors in words
    assert "toybox" in words
    assert "fake" not in words


def test_a_ranking_factor_of_another_package_is_an_option_and_a_part_of_the_score(written: dict[str, str]):
    assert "--weight-brevity" in written["search help"]
    result = json.loads(written["weight"])
    assert result["hits"][0]["title"] == "Dust"  # the shortest title
    assert "brevity" in json.dumps(result["hits"][0]["score"])


def test_an_answer_mode_of_another_package_is_an_option_and_answers(written: dict[str, str]):
    assert "toy-titles" in written["ask help"]
    answer = json.loads(written["mode"])
    assert answer["answer"]["text"] == "Galaxies form early"


def test_a_reranker_of_another_package_reranks(written: dict[str, str]):
    result = json.loads(written["reranker"])
    rerank = next(stage for stage in result["stage_status"] if stage["name"] == "rerank")
    assert rerank["status"] == "ran"


def test_a_chat_model_of_another_package_answers(corpus: Path):
    arguments = ["ask", "How do galaxies form?", "--corpus", str(corpus), "--generation", "rag", "--json"]
    answer = pathfinder(*arguments, PATHFINDER_CHAT_MODEL="toybox:bear")
    assert "a toy called bear speaks" in answer


def test_a_layer_of_another_package_is_listed_and_drawn(corpus: Path, written: dict[str, str]):
    assert "toycorner" in written["layers"]
    layers = json.loads(run(["-c", MAP_LAYERS, str(corpus)]))
    assert "toycorner" in layers["listed"]
    assert layers["marks"] == ["the origin"]
    assert layers["toys"] == len(TITLES)  # a method


def test_the_page_offers_the_mode_and_the_factor_and_lists_what_the_reader_read(pages: dict[str, Any]):
    page = pages["ask"]
    assert "Toy: a title" in page["modes"]
    assert "Toy brevity" in page["switches"]
    assert all(title in page["text"] for title in TITLES)


def test_the_page_of_the_map_offers_the_layer_and_draws_it(pages: dict[str, Any]):
    page = pages["map"]
    assert "Toy corner" in page["switches"]
    assert (page["before"], page["marks"]) == ([], ["the origin"])
    assert "**Toy corner**" in page["text"]


def test_the_about_page_lists_the_plug_ins_and_those_that_were_left_out(pages: dict[str, Any]):
    assert r"map layer toycorner\, from toybox" in pages["about"]
    assert r"reader toy\-lines\, from toybox" in pages["about"]
    assert r"kind of source toys\, from toybox" in pages["about"]
    assert "Pathfinder itself has a map layer of that name" in pages["about"]


def test_a_command_a_part_and_a_panel_of_another_package_are_there(written: dict[str, str], pages: dict[str, Any]):
    assert written["toys"] == "bear, train\n"
    assert "Toys say hello." in pages["about"]
    assert r"part toys\, from toybox" in pages["about"]


def test_a_command_or_a_part_of_another_package_takes_the_place_of_no_other(
    written: dict[str, str], pages: dict[str, Any]
):
    assert "Name the toys" not in written["search help"] + written["shelf help"]
    assert "Pathfinder itself has a part of that name" in pages["about"]


def test_a_part_or_a_panel_that_fails_is_named_and_the_rest_is_drawn(pages: dict[str, Any]):
    assert r"plug\-in \'lost\' of toybox" in pages["about"]
    assert "the toy broke" in pages["about"]
    assert "Toys say hello." in pages["about"]


def test_a_panel_may_have_a_capital_letter_in_its_name(pages: dict[str, Any]):
    assert f"{len(TITLES)} toys listed." in pages["ask"]["listed"]


def test_a_link_holds_the_mode_of_another_package():
    run(["-c", MODE_OF_LINK])


def test_switched_off_none_of_it_is_there():
    assert "toy" not in pathfinder("ask", "--help", PATHFINDER_PLUGINS="off")
