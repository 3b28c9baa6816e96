"""List every string that a person reads, and draw a sample for readers to mark.

    python -m benchmarks.english [--kind message|docstring|comment|document]   # the list, tab-separated
    python -m benchmarks.english --draw 300 --seed 2026 > sample.tsv
    python -m benchmarks.english --score docs/english/marks_2030_1.tsv docs/english/marks_2030_2.tsv

A row is a place, a kind and a text on one line: messages (literals in the package and its pages that contain words,
with `{...}` for what is filled in), docstrings, comments, and paragraphs of Markdown documents. Prompts are left out
because models read them; so are word lists, patterns and styles. Readers add a mark at the end of each row of a sample:
"ok", or how a native speaker would say it. `--score` counts the rows that each reader would say otherwise, and those on
which they agree.
"""

import argparse
import ast
import io
import random
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHON = ("app.py", "pages/*.py", "pathfinder/**/*.py", "benchmarks/*.py")
DOCUMENTS = ("*.md", "docs/**/*.md", "benchmarks/*.md", "data/*.md", "pages/*.md")
NOT_PROSE = re.compile(r"[\\^$|]{2}|\(\?[:=!<]|\\[bdsw]|[;{]\s*$|^\s*<|[a-z-]+: [^;]+;|^[#./]")
FUNCTION_WORDS = set("a an and are as at be by for from has in is it no not of on or that the to was were with".split())
WORD_LISTS = {"words", "pairs", "phrases", "compile", "frozenset"}
MARK = "ok"


@dataclass(frozen=True, slots=True)
class Text:
    """A text that a person reads, and its place in the source."""

    place: str
    """`file:line`."""
    kind: str
    """message, docstring, comment or document."""
    text: str


def is_prose(text: str) -> bool:
    """Return whether `text` is prose rather than a pattern, style or key: at least three words, and mostly letters."""
    words = [word.strip(".,:;!?()\"'") for word in text.split()]
    letters = sum(character.isalpha() or character == " " for character in text)
    is_list = len(words) > 8 and not FUNCTION_WORDS & set(words)
    return sum(map(str.isalpha, words)) >= 3 and letters / len(text) > 0.75 and not (is_list or NOT_PROSE.search(text))


def one_line(text: str) -> str:
    """Collapse white space, so that a text fits into a row."""
    return " ".join(text.split())


def literal(node: ast.expr) -> str | None:
    """Return the text of a string literal, with `{...}` for what an f-string fills in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "{...}" for part in node.values)
    return None


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Find the strings that are statements: docstrings of modules, classes, functions and attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value


def messages(node: ast.AST, skipped: set[int]) -> Iterator[tuple[int, str]]:
    """Find literals that contain prose, except in calls that make word lists and patterns."""
    if id(node) in skipped:
        return
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in WORD_LISTS:
            return
    if isinstance(node, ast.expr) and (text := literal(node)) is not None:
        if is_prose(text):
            yield node.lineno, text
        return
    for child in ast.iter_child_nodes(node):
        yield from messages(child, skipped)


def python_texts(path: Path) -> Iterator[Text]:
    """List the docstrings, messages and comments of one module."""
    source, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
    tree = ast.parse(source)
    documented = list(docstrings(tree))
    for node in documented:
        yield Text(f"{name}:{node.lineno}", "docstring", str(node.value))
    if name.parts[0] != "benchmarks":
        for line, text in messages(tree, {id(node) for node in documented}):
            yield Text(f"{name}:{line}", "message", text)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        comment = token.string.lstrip("# ")
        if token.type == tokenize.COMMENT and is_prose(comment) and not comment.startswith(("type:", "noqa")):
            yield Text(f"{name}:{token.start[0]}", "comment", comment)


def document_texts(path: Path) -> Iterator[Text]:
    """List the paragraphs and list items of one Markdown document, without code blocks, tables and readers' marks."""
    line = 1
    for block in re.split(r"\n\s*\n", re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)):
        is_code = block.startswith("    ") or block.lstrip().startswith(("|", "---", "<"))
        if not is_code and len(re.findall(r"[A-Za-z]{2,}", block)) >= 3:
            yield Text(f"{path.relative_to(ROOT)}:{line}", "document", block)
        line += block.count("\n") + 2


def texts() -> list[Text]:
    """List all texts without duplicates, in the order of files and lines."""
    modules = [file for name in PYTHON for file in sorted(ROOT.glob(name))]
    documents = sorted({file for pattern in DOCUMENTS for file in ROOT.glob(pattern)})
    found = [text for file in modules for text in python_texts(file)]
    found += [text for file in documents for text in document_texts(file)]
    by_words = {one_line(text.text): text for text in reversed(found)}
    return [Text(text.place, text.kind, words) for words, text in reversed(by_words.items())]


def score(files: list[Path]) -> Iterator[str]:
    """Count the rows that each reader would say otherwise, and those on which they agree."""
    marks = [[line.split("\t") for line in file.read_text(encoding="utf-8").splitlines() if line] for file in files]
    otherwise = [{row[0] for row in rows if row[-1].strip() != MARK} for rows in marks]
    for file, rows, rejected in zip(files, marks, otherwise, strict=True):
        yield f"{file}: {len(rejected)} of {len(rows)} would be said otherwise"
    if len(files) > 1:
        yield f"by all: {len(set.intersection(*otherwise))}; by any: {len(set.union(*otherwise))}"


def main() -> None:
    """List, draw or score, according to the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=["message", "docstring", "comment", "document"])
    parser.add_argument("--draw", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--score", type=Path, nargs="+", metavar="MARKS")
    arguments = parser.parse_args()
    if arguments.score:
        print("\n".join(score(arguments.score)))
        return
    listed = [text for text in texts() if arguments.kind in (None, text.kind)]
    if arguments.draw:
        listed = random.Random(arguments.seed).sample(listed, arguments.draw)  # noqa: S311  # a drawing by lot, no secret
    for text in listed:
        sys.stdout.write(f"{text.place}\t{text.kind}\t{text.text}\n")


if __name__ == "__main__":
    main()
