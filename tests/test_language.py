"""Names and docstrings that this house once had too many of, kept from coming back."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted([*(ROOT / "pathfinder").rglob("*.py"), *(ROOT / "pages").glob("*.py"), ROOT / "app.py"])

PARTICIPLES = frozenset(
    "asked done drawn finished found given held kept lifted listened mapped meant noticed one recorded said settled "
    "shown taken told understood walked wanted".split()
)
"""Participles that stood for nouns, and the pronoun that stood for all of them."""

ALLOWED = frozenset({"Done"})
"""The last event of a stream, as programs know it."""

RIDDLES = frozenset("in_words by_company asked_as utils manager helper helpers misc".split())

OPENINGS = ("What ", "Whether ", "How ", "Where ", "Which ", "Of ")
"""Docstrings say what a thing does or is, so they open with a verb or a noun."""


def names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The names that a module gives: to variables, parameters, attributes, functions and classes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.lineno, node.name


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Strings that stand as statements, those below attributes and constants included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value.strip()


def is_riddle(name: str) -> bool:
    return name not in ALLOWED and name.strip("_").lower() in PARTICIPLES | RIDDLES


def test_no_participle_stands_for_a_noun() -> None:
    riddles = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in SOURCES
        for line, name in names(ast.parse(path.read_text(encoding="utf-8")))
        if is_riddle(name)
    ]
    assert riddles == [], "name the thing: the paper, the layer, the reply"


def test_no_module_is_called_by_a_riddle() -> None:
    assert [path for path in SOURCES if is_riddle(path.stem)] == []


def test_docstrings_open_with_what_a_thing_does_or_is() -> None:
    stilted = [
        f"{path.relative_to(ROOT)}:{line} {text[:60]}"
        for path in SOURCES
        for line, text in docstrings(ast.parse(path.read_text(encoding="utf-8")))
        if text.startswith(OPENINGS)
    ]
    assert stilted == [], 'open with a verb ("Return the papers ...") or a noun ("Papers of one year")'


@pytest.mark.parametrize(
    ("source", "given_names"),
    [
        ("told = 1", ["told"]),
        ("for one in 'ab': pass", ["one"]),
        ("def f(kept): pass", ["f", "kept"]),
        ("self.asked = 2", ["asked"]),
        ("print(told)", []),
    ],
)
def test_names_are_seen_where_they_are_given(source: str, given_names: list[str]) -> None:
    assert [name for _, name in names(ast.parse(source))] == given_names
