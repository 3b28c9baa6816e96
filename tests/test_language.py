"""Names and docstrings that this house once had too many of, kept from coming back."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.syntax_trees import nodes_of, tree_of

pytestmark = pytest.mark.usefixtures("collector_rests")

ROOT = Path(__file__).parents[1]
SOURCES = sorted(
    [*(ROOT / "pathfinder").rglob("*.py"), *(ROOT / "pages").glob("*.py"), ROOT / "app.py", ROOT / "server.py"]
)
TESTS = [
    path for folder in ("tests", "tests_engines", "tests_ray", "tests_wire") for path in (ROOT / folder).rglob("*.py")
]
NAMED_SOURCES = sorted([*SOURCES, *(ROOT / "benchmarks").glob("*.py"), *TESTS])
"""Where names are read: tests and benchmarks as well."""

PARTICIPLES = frozenset(
    "asked brought chosen cited done drawn finished found gathered given heard held kept known lifted listed listened "
    "made mapped meant noticed one recorded remembered retold said settled shown sought stored taken told understood "
    "walked wanted".split()
)
"""Participles that stood for nouns, and the pronoun that stood for all of them."""

ALLOWED = frozenset({"Done"})
"""The last event of a stream, as programs know it."""

PROMISED = frozenset(
    {
        ("pathfinder/feedback/judgements.py", "listed"),
        ("pathfinder/landscape/drawing/palettes.py", "chosen"),
        ("pathfinder/types/hypothesis.py", "CITED"),
        ("pathfinder/session/pathfinder.py", "known"),
    }
)
"""Names that stored judgements, the scripts of the canvas, exported hypotheses and the callers of the library have."""

PROSE = frozenset("note reason form_reason ran why message explanation badge caption".split())
ERRORS = frozenset("error exception problem failure refusal fault".split())
"""Names under which people read: the words may change, so no decision hangs on them."""

RIDDLES = frozenset("in_words by_company asked_as utils manager helper helpers misc".split())

OPENINGS = ("What ", "Whether ", "How ", "Where ", "Which ", "Of ")
"""Docstrings say what a thing does or is, so they open with a verb or a noun."""


NAMING = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar
"""Statements and patterns that give a name as a plain string."""


def names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The names that a module gives: to variables, parameters, attributes, functions and classes."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, NAMING) and node.name:
            yield node.lineno, node.name


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Strings that stand as statements, those below attributes and constants included."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value.strip()


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


def name_of(node: ast.expr) -> str | None:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def names_of_what_was_read(tree: ast.Module) -> Iterator[int]:
    """Yield the lines at which `read` names anything but a function: there it is a participle, not a verb."""
    annotations = {id(node.target): node.annotation for node in nodes_of(tree) if isinstance(node, ast.AnnAssign)}
    for node in nodes_of(tree):
        if isinstance(node, ast.arg):
            name, annotation = node.arg, node.annotation
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name, annotation = node.id, annotations.get(id(node))
        else:
            continue
        is_function = annotation is not None and re.search(r"Callable|Reader$", ast.unparse(annotation))
        if name == "read" and not is_function:
            yield node.lineno


def is_riddle(name: str) -> bool:
    return name not in ALLOWED and name.strip("_").lower() in PARTICIPLES | RIDDLES


def test_no_participle_stands_for_a_noun() -> None:
    riddles = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in NAMED_SOURCES
        for line, name in names(tree_of(path))
        if is_riddle(name) and (path.relative_to(ROOT).as_posix(), name) not in PROMISED
    ]
    assert riddles == [], "name the thing: the paper, the layer, the reply"


def test_only_a_function_is_called_read() -> None:
    lines = [f"{path.relative_to(ROOT)}:{line}" for path in SOURCES for line in names_of_what_was_read(tree_of(path))]
    assert lines == [], "name the thing: the paper, the text, the prompt"


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("read = list(papers)", [1]),
        ("def f(read: str): pass", [1]),
        ("def f(read): pass", [1]),
        ("for read in papers: pass", [1]),
        ("def read(): pass", []),
        ("def f(read: Callable[[], str], page: PageReader): pass", []),
        ("class A:\n    read: PageReader", []),
    ],
)
def test_what_was_read_is_told_from_what_reads(source: str, lines: list[int]) -> None:
    assert list(names_of_what_was_read(ast.parse(source))) == lines


def test_no_decision_is_read_from_prose() -> None:
    decisions = [
        f"{path.relative_to(ROOT)}:{line} {text}"
        for path in SOURCES
        for line, text in decisions_on_prose(tree_of(path))
    ]
    assert decisions == [], "read a typed field instead: a status, a kind, an is_..."


@pytest.mark.parametrize(
    "source",
    [
        "note.startswith",
        "hit.reason == COMING",
        "'key' in str(error)",
        "stage.ran.endswith",
        "absent[role] != LEFT_OUT",
        "manifest.absent.get(role) == COMING",
    ],
)
def test_a_decision_on_prose_is_noticed(source: str) -> None:
    assert [text for _, text in decisions_on_prose(ast.parse(source))] == [source]


def test_no_module_is_called_by_a_riddle() -> None:
    assert [path for path in NAMED_SOURCES if is_riddle(path.stem)] == []


def test_docstrings_open_with_what_a_thing_does_or_is() -> None:
    stilted = [
        f"{path.relative_to(ROOT)}:{line} {text[:60]}"
        for path in SOURCES
        for line, text in docstrings(tree_of(path))
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
        ("try: pass\nexcept OSError as found: pass", ["found"]),
        ("print(told)", []),
    ],
)
def test_names_are_seen_where_they_are_given(source: str, given_names: list[str]) -> None:
    assert [name for _, name in names(ast.parse(source))] == given_names


def test_every_class_has_a_name_of_its_own() -> None:
    places: dict[str, list[str]] = {}
    for path in sorted((ROOT / "pathfinder").rglob("*.py")):
        for node in nodes_of(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


ADJECTIVES = frozenset({"shared", "Ended"})
"""A room that says what its modules are, and an enumeration of 0.1.0 that programs know."""


def test_no_module_and_no_class_is_named_by_a_participle_alone() -> None:
    """ "Rejected" is an answer to a question that the reader has not heard: rejected rows are `rejected_rows`."""
    alone = []
    for path in sorted((ROOT / "pathfinder").rglob("*.py")):
        parts = path.relative_to(ROOT / "pathfinder").with_suffix("").parts
        classes = [node.name for node in nodes_of(tree_of(path)) if isinstance(node, ast.ClassDef)]
        alone += [f"{path.relative_to(ROOT)}: {name}" for name in (*parts, *classes) if is_participle(name)]
    assert alone == []


def is_participle(name: str) -> bool:
    word = name.strip("_")
    is_one_word = (word.islower() and "_" not in word) or word[1:].islower()
    return is_one_word and word.lower().endswith("ed") and word not in ADJECTIVES and not word.endswith("eed")
