"""The list of all strings that a person reads, from which readers get a sample."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.english import draw
from benchmarks.strings import ROOT, Text, is_label, is_prose, python_texts, script_texts, table_texts, texts

Listing = Callable[[Path], Iterator[Text]]

SOURCES = {
    "server.py": '"""Serve the pages."""\nSTOP = "Stop the server now"\n',
    "pathfinder/ui/panel.py": 'button("Rerank")\nicon = ":material/map:"\nkey = "rerank_all"\n',
    "pathfinder/index/store.py": 'x = cursor("select a, b from papers where id = ?")\ny = "Rerank papers"\n',
    "pathfinder/index/option.py": 'Setting(label="Order", link="o")\nz = "the a of and in on it was to be".split()\n',
    "pathfinder/canvas/tools.js": '// Buttons of the map, in order.\nbutton("in", `Zoom in (+)`, "ArrowLeft");\n',
    "pathfinder/canvas/page.html": "<!-- The page of a saved map. --><h1>The whole map</h1>",
    "pathfinder/profile/field.toml": '# The field of all bees.\ntitle = "Bees"\n[names]\nobjects = ["A queen bee"]\n',
    "docs/bees.md": "# Bees and hives\n\n| key | meaning |\n|---|---|\n| `hive` | where all the bees live |\n\n"
    "All bees do:\n- they fly to\n  the flowers\n- they make the honey\n",
}


@pytest.fixture
def house(tmp_path: Path) -> Path:
    for name, source in SOURCES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source, encoding="utf-8")
    return tmp_path


def test_all_that_people_read_is_listed_with_its_place(house: Path) -> None:
    assert texts(house) == [
        Text("pathfinder/index/option.py:1", "label", "Order"),
        Text("pathfinder/ui/panel.py:1", "label", "Rerank"),
        Text("server.py:1", "docstring", "Serve the pages."),
        Text("server.py:2", "message", "Stop the server now"),
        Text("pathfinder/canvas/page.html:1", "comment", "The page of a saved map."),
        Text("pathfinder/canvas/page.html:1", "message", "The whole map"),
        Text("pathfinder/canvas/tools.js:1", "comment", "Buttons of the map, in order."),
        Text("pathfinder/canvas/tools.js:2", "label", "Zoom in (+)"),
        Text("pathfinder/profile/field.toml:1", "comment", "The field of all bees."),
        Text("pathfinder/profile/field.toml:2", "label", "Bees"),
        Text("docs/bees.md:1", "document", "# Bees and hives"),
        Text("docs/bees.md:5", "document", "| `hive` | where all the bees live |"),
        Text("docs/bees.md:7", "document", "All bees do:"),
        Text("docs/bees.md:8", "document", "- they fly to the flowers"),
        Text("docs/bees.md:10", "document", "- they make the honey"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "create table judgements (code text not null)",
        "delete from papers where the id is in",
        "masas? de Jupiter|masses? de",
    ],
)
def test_code_is_no_prose(text: str) -> None:
    assert not is_prose(text)


@pytest.mark.parametrize(("text", "expected"), [("Ask", True), ("From year", True), ("ArrowUp", False), ("ask", False)])
def test_a_label_begins_with_a_capital_and_names_no_key(text: str, expected: bool) -> None:
    assert is_label(text) == expected


def test_the_same_seed_draws_the_same_texts(house: Path) -> None:
    first, again, other = (draw(texts(house), 5, seed) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize(
    ("listing", "name", "text"),
    [
        (python_texts, "app.py", "Screen"),
        (script_texts, "pathfinder/landscape/canvas/scripts/controls.js", "Zoom in (+)"),
        (table_texts, "pathfinder/profile/astronomy.toml", "What is the value of the Hubble constant?"),
    ],
)
def test_words_on_the_screens_of_this_house_are_listed(listing: Listing, name: str, text: str) -> None:
    assert text in {entry.text for entry in listing(ROOT / name)}
