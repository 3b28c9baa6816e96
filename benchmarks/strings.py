"""Every string that a person reads, found in the sources: the list from which `benchmarks.english` draws."""

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHON = ("app.py", "server.py", "pages/*.py", "pathfinder/**/*.py", "benchmarks/*.py")
SCRIPTS = ("pathfinder/**/*.js", "pathfinder/**/*.html")
TABLES = ("pathfinder/profile/*.toml", "benchmarks/profiles/*.toml")
DOCUMENTS = ("*.md", "docs/**/*.md", "benchmarks/*.md", "data/*.md", "pages/*.md")

NOT_PROSE = re.compile(
    r"[\\^$|]{2}|\(\?[:=!<]|\\[bdsw]|[;{]\s*$|^\s*<|[a-z-]+: [^;]+;|^[#./]|sans-serif|"
    r"\w\??\|\w|"
    r"(?i:^\s*(?:create table|insert into|delete from|select\b.{1,60}\bfrom|update \w+ set|alter table|pragma)\b)"
)
"""Patterns, styles, markup, paths and SQL."""
FUNCTION_WORDS = set("a an and are as at be by for from has in is it no not of on or that the to was were with".split())
WORD_LISTS = {"words", "pairs", "phrases", "compile", "frozenset", "any_of", "lower", "split"}
"""Functions and methods that turn a text into a list of words or a pattern."""
LABEL = re.compile(
    r"[A-ZÀ-Þ][a-zà-þ’'-]+(?: (?:[a-zà-þ’'-]+|[A-Z]{2,})){0,4}(?: \([^()]{1,12}\))?[.:?!…]?|[A-Z][a-z]+ [A-Z]{2,}"
)
"""One or a few plain words that begin with a capital letter, as on a button."""
READ_FOLDERS = ("app.py", "server.py", "pages", "ui", "figures", "cli", "landscape")
"""Files and rooms whose short texts are labels; elsewhere, most are names and keys."""
LABELLING = {"label", "title", "help", "caption", "placeholder", "group", "text", "subtitle", "hovertext", "name"}
"""Parameters that hold labels in any room."""
KEYS = re.compile(r"Arrow\w+|Escape|Enter|Tab|Shift|Home|End|Page\w+|Delete|Backspace|Control|Meta|Alt|Content|Last")
"""Names of keys and headers, which look like labels."""
NO_TEXTS = {"names", "owners", "quantities", "aliases", "landmarks", "designations", "services", "settled_by"}
"""Keys of a profile whose values are patterns, or words to be looked up."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text that a person reads, and its place in the source."""

    place: str
    """`file:line`."""
    kind: str
    """message, label, docstring, comment or document."""
    text: str


def is_prose(text: str) -> bool:
    """Return whether `text` is prose rather than a pattern, style or key: at least three words, and mostly letters."""
    words = [word.strip(".,:;!?()\"'") for word in text.split()]
    letters = sum(character.isalpha() or character == " " for character in text)
    is_list = len(words) > 8 and not FUNCTION_WORDS & set(words)
    is_table = len(re.findall(r"^\w+=", text, re.MULTILINE)) > 2
    is_code = is_list or is_table or NOT_PROSE.search(text) is not None
    return sum(map(str.isalpha, words)) >= 3 and letters / len(text) > 0.75 and not is_code


def is_label(text: str) -> bool:
    """Return whether `text` is a few words beginning with a capital, as on a button, and not the name of a key."""
    return LABEL.fullmatch(text.strip()) is not None and KEYS.match(text.strip()) is None


def without_breaks(text: str) -> str:
    """Collapse white space, so that a text fits into a row."""
    return " ".join(text.split())


def literal(node: ast.AST) -> str | None:
    """Return the text of a string literal, with `{...}` for what an f-string fills in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "{...}" for part in node.values)
        return "".join(map(str, parts))
    return None


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Find the strings that are statements: docstrings of modules, classes, functions and attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value


def messages(node: ast.AST, skipped_ids: set[int], *, has_labels: bool) -> Iterator[tuple[int, str, str]]:
    """Find literals that contain prose or a label, except in calls that make word lists and patterns. Labels are found
    everywhere if `has_labels`, otherwise only as arguments that hold labels.
    """
    if id(node) in skipped_ids or (isinstance(node, ast.Call) and callee(node) in WORD_LISTS):
        return
    if (text := literal(node)) is not None:
        if is_prose(text):
            yield getattr(node, "lineno", 0), "message", text
        elif has_labels and is_label(text):
            yield getattr(node, "lineno", 0), "label", text
        return
    for child in ast.iter_child_nodes(node):
        is_labelled = isinstance(child, ast.keyword) and child.arg in LABELLING
        yield from messages(child, skipped_ids, has_labels=has_labels or is_labelled)


def callee(node: ast.Call) -> str:
    """Return the name of the function or method that is called."""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def python_texts(path: Path, root: Path = ROOT) -> Iterator[Text]:
    """List the docstrings, messages, labels and comments of one module."""
    source, name = path.read_text(encoding="utf-8"), path.relative_to(root)
    tree = ast.parse(source)
    own_docstrings = list(docstrings(tree))
    for node in own_docstrings:
        yield Text(f"{name}:{node.lineno}", "docstring", str(node.value))
    if name.parts[0] != "benchmarks":
        is_seen = not {name.parts[0], *name.parts[1:2]}.isdisjoint(READ_FOLDERS)
        for line, kind, text in messages(tree, {id(node) for node in own_docstrings}, has_labels=is_seen):
            yield Text(f"{name}:{line}", kind, text)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        comment = token.string.lstrip("# ")
        if token.type == tokenize.COMMENT and is_prose(comment) and not comment.startswith(("type:", "noqa")):
            yield Text(f"{name}:{token.start[0]}", "comment", comment)


SCRIPT_PARTS = re.compile(
    r"/\*(?P<block>.*?)\*/|(?<!:)//(?P<comment>[^\n]*)|<!--(?P<remark>.*?)-->|"
    r'"(?P<double>(?:[^"\\\n]|\\.)*)"|\'(?P<single>(?:[^\'\\\n]|\\.)*)\'|`(?P<template>(?:[^`\\]|\\.)*)`|'
    r">(?P<tagged>[^<>{}=;]*[A-Za-z][^<>{}=;]*)<",
    re.DOTALL,
)
"""Comments and strings of JavaScript, and texts and attributes of HTML."""


def script_texts(path: Path, root: Path = ROOT) -> Iterator[Text]:
    """List the messages, labels and comments of a script or an HTML file."""
    source = path.read_text(encoding="utf-8")
    for match in SCRIPT_PARTS.finditer(source):
        part = str(match.lastgroup)
        text = without_breaks(re.sub(r"\$\{[^{}]*\}", "{...}", match[part]).lstrip("*! "))
        place = f"{path.relative_to(root)}:{source.count(chr(10), 0, match.start()) + 1}"
        if part in ("block", "comment", "remark"):
            if is_prose(text):
                yield Text(place, "comment", text)
        elif is_prose(text) or is_label(text):
            yield Text(place, "message" if is_prose(text) else "label", text)


def table_texts(path: Path, root: Path = ROOT) -> Iterator[Text]:
    """List the comments of a TOML file, and its texts, apart from words that are only looked up."""
    source, name = path.read_text(encoding="utf-8"), path.relative_to(root)
    for match in re.finditer(r"(?:^#.*\n)+", source, re.MULTILINE):
        text = without_breaks(match[0].replace("\n# ", " ").lstrip("# "))
        if is_prose(text):
            yield Text(f"{name}:{source.count(chr(10), 0, match.start()) + 1}", "comment", text)
    for text in values(tomllib.loads(source)):
        start = source.find(text.splitlines()[0][:30]) if text.strip() else 0
        if is_prose(text) or is_label(text):
            place = f"{name}:{source.count(chr(10), 0, max(start, 0)) + 1}"
            yield Text(place, "message" if is_prose(text) else "label", text)


def values(value: object) -> Iterator[str]:
    """Return, in order, all texts that people read in a parsed TOML value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from values([inner for key, inner in value.items() if key not in NO_TEXTS])
    elif isinstance(value, list):
        for inner in value:
            yield from values(inner)


ROW_START = re.compile(r"\n(?=\||\s*(?:[-*]|\d+\.) )")
"""Beginning of a table row or list item within a block of lines."""


def document_texts(path: Path, root: Path = ROOT) -> Iterator[Text]:
    """List the paragraphs, list items and table rows of one Markdown document, without code blocks or markup."""
    line = 1
    source = path.read_text(encoding="utf-8")
    without_code = re.sub(r"```.*?```", lambda code: "\n" * code[0].count("\n"), source, flags=re.DOTALL)
    for block in without_code.split("\n\n"):
        is_code = block.startswith("    ") or block.lstrip().startswith(("---", "<"))
        for row in ROW_START.split(block):
            if not is_code and len(re.findall(r"[A-Za-z]{2,}", row)) >= 3:
                place = line + len(row) - len(row.lstrip("\n"))
                yield Text(f"{path.relative_to(root)}:{place}", "document", row)
            line += row.count("\n") + 1
        line += 1


def files(root: Path, patterns: tuple[str, ...]) -> list[Path]:
    """Return the files that match, in the same order on every machine."""
    return sorted({file for pattern in patterns for file in root.glob(pattern)})


def texts(root: Path = ROOT) -> list[Text]:
    """List all texts without duplicates, ordered by kind of file, file and line."""
    all_texts = [text for file in files(root, PYTHON) for text in python_texts(file, root)]
    all_texts += [text for file in files(root, SCRIPTS) for text in script_texts(file, root)]
    all_texts += [text for file in files(root, TABLES) for text in table_texts(file, root)]
    all_texts += [text for file in files(root, DOCUMENTS) for text in document_texts(file, root)]
    by_words = {without_breaks(text.text): text for text in reversed(all_texts)}
    return [Text(text.place, text.kind, words) for words, text in reversed(by_words.items())]
