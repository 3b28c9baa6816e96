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

PROMISED_TO = {
    "callers of the library": (
        "errors.py:received session/pathfinder.py:known types/papers.py:published types/results.py:fused "
        "types/traces.py:ended"
    ),
    "readers of JSON, and what is stored on disk": (
        "assessment/outliers.py:calibrated capsules/contents.py:searched corpus/history/choices.py:removed "
        "corpus/manifest.py:dated corpus/manifest.py:retrieved corpus/reranker_check.py:reranked "
        "drafts/coverage.py:lost drafts/coverage.py:uncited drafts/draft.py:checked drafts/draft.py:dropped "
        "drafts/draft.py:searched evaluation/chat_judgements.py:counted export/traces.py:ended "
        "feedback/judgements.py:listed standing/runs.py:marked types/answers.py:folded types/digest.py:inserted "
        "types/digest.py:named types/hypothesis.py:CITED types/papers.py:retrieved types/rewrites.py:added "
        "types/rewrites.py:lost"
    ),
    "profiles and the catalogue of missions": (
        "missions/catalogue.py:died profile/names.py:counted profile/names.py:lettered profile/names.py:numbered "
        "profile/profile.py:computed profile/shipped_data.py:unspaced"
    ),
    "the scripts of the canvas": "landscape/drawing/palettes.py:chosen",
    "readers of PRISMA 2020, whose boxes have these names": (
        "screening/decisions.py:excluded screening/decisions.py:identified screening/decisions.py:included "
        "screening/decisions.py:screened screening/decisions.py:undecided"
    ),
    "readers of stances, one of which is called mixed": "assessment/consensus/rule.py:mixed",
    "tests with a scripted chat model": "models/fake.py:received",
}
"""Names that others know: keys, columns and arguments that keep their meaning, by who knows them."""

PROMISED = frozenset(
    (f"pathfinder/{path}", name)
    for entries in PROMISED_TO.values()
    for path, name in (entry.split(":") for entry in entries.split())
)

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

NO_PARTICIPLES = frozenset("bed embed hundred red shed".split())
"""Words that only end like a participle."""

IRREGULAR = PARTICIPLES | frozenset(
    "begun bought broken built caught cut dealt driven fed felt flown forgotten gone grown hidden hung laid lent lost "
    "met overlaid paid put rebuilt redrawn rewritten risen seen sent shaken shrunk shut sold spent spoken stolen "
    "struck sung swept taught thrown torn upheld withdrawn withheld won worn woven written".split()
)
IMPERATIVES = frozenset("cut put shut".split())
"""Participles that are also imperatives, so a function may have such a name."""


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
    is_one_word = "_" not in word and word[1:].islower()
    is_regular = word.lower().endswith("ed") and not word.endswith("eed") and word not in ADJECTIVES | NO_PARTICIPLES
    return is_one_word and (is_regular or word in IRREGULAR)


def participles(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The fields, parameters and public functions of a module that are named by a participle alone, except for true or
    false: "left", an edge or a side, is none.
    """
    for node in nodes_of(tree):
        if isinstance(node, ast.ClassDef):
            fields = [part for part in node.body if isinstance(part, ast.AnnAssign)]
            named = [(part.lineno, name_of(part.target), part.annotation) for part in fields]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            named = [(part.lineno, part.arg, part.annotation) for part in every]
            if not node.name.startswith("_") and node.name not in IMPERATIVES:
                named.append((node.lineno, node.name, node.returns))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            named = [(node.lineno, node.attr, None)]
        else:
            continue
        for line, name, kind in named:
            if name and is_participle(name) and "bool" not in (ast.unparse(kind) if kind else ""):
                yield line, name


def test_no_field_parameter_or_public_function_is_named_by_a_participle_alone() -> None:
    found_names = {
        (path.relative_to(ROOT).as_posix(), name): line for path in SOURCES for line, name in participles(tree_of(path))
    }
    riddles = [f"{path}:{line} {name}" for (path, name), line in found_names.items() if (path, name) not in PROMISED]
    assert riddles == [], (
        "name the thing, such as rejected_rows, and let a function say what it does, such as count_words"
    )


def test_every_promised_name_is_still_there() -> None:
    given_names = {(path.relative_to(ROOT).as_posix(), name) for path in SOURCES for _, name in names(tree_of(path))}
    assert sorted(PROMISED - given_names) == []


@pytest.mark.parametrize(
    ("source", "participles_alone"),
    [
        ("class A:\n    checked: tuple[str, ...]\n    cut: str", ["checked", "cut"]),
        ("class A:\n    is_cut: bool\n    checked: bool\n    FAILED = 'failed'", []),
        ("def f(dated: Papers, left: float, rejected_rows: Rows) -> None: pass", ["dated"]),
        ("def counted() -> int: pass", ["counted"]),
        ("def cut(text: str) -> str: pass", []),
        ("def embed(seed: int, speed: float) -> None: pass", []),
        ("def _counted() -> int: pass", []),
        ("self.moved = 1", ["moved"]),
    ],
)
def test_a_participle_alone_is_noticed(source: str, participles_alone: list[str]) -> None:
    assert [name for _, name in participles(ast.parse(source))] == participles_alone
