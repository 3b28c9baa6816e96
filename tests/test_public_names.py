"""The public names of the package: loaded when they are used, all there, and the same objects as in their modules."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import pathfinder
from pathfinder import errors, types

ROOT = Path(__file__).parents[1]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
LINES = [line for line in GLOSSARY.splitlines() if line.startswith("- **")]
TERMS = frozenset(re.findall(r"^- \*\*([^*]+)\*\*", GLOSSARY, re.MULTILINE))
OTHER_TERMS = {
    "CitationProfile": "weight",
    "Generation": "answer mode",
    "ModeName": "answer mode",
    "Score": "match",
    "SearchRequest": "setting",
    "SearchResult": "hit",
    "Settings": "setting",
    "Specialisation": "style",
    "Weighting": "weight",
}
"""Public names whose glossary term is another word: their own names are those of 0.1.0."""
PLAIN = frozenset({"Paper", "Pathfinder"})

ERRORS = {name for name, kind in vars(errors).items() if isinstance(kind, type)}


@pytest.mark.parametrize("name", pathfinder.__all__)
def test_every_public_name_can_be_imported(name):
    assert getattr(pathfinder, name).__name__ == {"Generation": "ModeName"}.get(name, name)
    assert name in dir(pathfinder)


@pytest.mark.parametrize("name", sorted({*pathfinder.__all__} - ERRORS - PLAIN))
def test_every_public_name_has_its_term_in_the_glossary(name):
    words = re.findall("[A-Z][a-z]+", name)
    candidates = {" ".join(words[:n]).lower() for n in range(1, len(words) + 1)} | {OTHER_TERMS.get(name, "")}
    assert candidates & TERMS, f"docs/glossary.md has no line for {name}"


def test_no_term_of_the_glossary_has_two_lines():
    terms = re.findall(r"^- \*\*([^*(]+?)(?: \([^)]*\))?\*\*", GLOSSARY, re.MULTILINE)
    assert sorted(term for term in set(terms) if terms.count(term) > 1) == []


def test_every_room_in_the_glossary_exists():
    """A line gives its rooms after the meaning: folders and modules of `pathfinder/`, or a folder beside it."""
    rooms = {line: re.findall(r"`([^`]+)`", line.split(" - ")[2]) for line in LINES}
    assert [line for line in LINES if not rooms[line]] == []
    assert {room for line in LINES for room in rooms[line] if not exists(room)} == set()


def exists(room: str) -> bool:
    package = ROOT / "pathfinder" / room
    return package.is_dir() or package.with_suffix(".py").is_file() or (ROOT / room).is_dir()


def test_a_name_that_is_not_public_is_no_attribute():
    with pytest.raises(AttributeError, match="has no attribute 'Landscape'"):
        pathfinder.Landscape  # noqa: B018  reading it is the test


def test_the_names_are_those_of_their_modules():
    assert pathfinder.ModeName is types.ModeName
    assert pathfinder.TimeSpent is errors.TimeSpent


def test_every_error_is_public_and_stands_in_the_tree_of_errors():
    assert set(pathfinder.__all__) >= ERRORS
    for name in ERRORS:
        assert name in (errors.__doc__ or "")


def test_importing_the_package_loads_nothing_but_itself():
    script = "import sys, pathfinder; print([name for name in sys.modules if name.startswith('pathfinder.')])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
