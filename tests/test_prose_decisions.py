"""Decisions hang on typed fields, never on words that people read."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.syntax_trees import nodes_of, tree_of

pytestmark = pytest.mark.usefixtures("collector_rests")

ROOT = Path(__file__).parents[1]
SOURCES = sorted([*(ROOT / "pathfinder").rglob("*.py"), ROOT / "server.py"])

PROSE = frozenset("note reason form_reason ran why message explanation badge caption".split())
ERRORS = frozenset("error exception problem failure refusal fault".split())
"""Names under which people read: the words may change, so no decision hangs on them."""


def decisions_on_prose(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Comparisons of a note, a reason, the words of a stage or an error's message with a text, and questions after what
    it begins, ends or contains. A note among the notes is none.
    """
    for node in nodes_of(tree):
        if isinstance(node, ast.Compare):
            places = [node.left, *node.comparators]
            is_decision = any(isinstance(operator, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for operator in node.ops)
            is_listed = (name_of(places[-1]) or "").endswith("notes")
            if is_decision and not is_listed and any(map(is_prose, places)):
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.Attribute) and node.attr in ("startswith", "endswith") and is_prose(node.value):
            yield node.lineno, ast.unparse(node)


def name_of(node: ast.expr) -> str | None:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def is_prose(node: ast.expr) -> bool:
    """Whether an expression is called what holds prose, is the message of an error (`str(error)`), or the reason why a
    corpus lacks a part (`absent["landscape"]`).
    """
    match node:
        case ast.Call(ast.Name("str"), [error]):
            return name_of(error) in ERRORS
        case ast.Subscript(absent) | ast.Call(ast.Attribute(absent, "get")) if name_of(absent) == "absent":
            return True
    return name_of(node) in PROSE


def test_no_decision_is_read_from_prose() -> None:
    decisions = [
        f"{path.relative_to(ROOT)}:{line} {text}"
        for path in SOURCES
        for line, text in decisions_on_prose(tree_of(path))
    ]
    assert decisions == [], "read a typed field instead: a status, a kind, an is_..."
