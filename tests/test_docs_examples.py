"""The examples of README.md and docs/ are tried: what can be run here is run on the demo corpus, and of the rest, which
names what a reader has to fill in or needs what is not here, commands and options are looked up.

In a page, `<!-- not run: REASON -->` before a block says why it is only looked up.
"""

import contextlib
import io
import re
import shlex
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pathfinder import Pathfinder
from pathfinder.cli.app import command_line, main
from pathfinder.settings import Settings

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
QUESTION = "What is the value of the Hubble constant?"
GIVEN = {"DIR": "build/landmarks", "QUESTION": QUESTION}
"""What stands for itself in every example."""
RECORDS = {f"p{n}": f"We measure dose {n} of what patients with diabetes tolerate." for n in range(6)}
FILES = {
    "papers.jsonl": "".join(
        f'{{"id": "{key}", "title": "{text}", "abstract": "{text}"}}\n' for key, text in RECORDS.items()
    ),
    "zotero.ris": "TY  - JOUR\nTI  - A Relation\nAU  - Hubble, Edwin\nPY  - 1929\nER  -\n",
    "labelled.csv": "id,title,abstract,included\n"
    + "".join(f"{key},{text},{text},1\n" for key, text in RECORDS.items()),
    "retraction_watch.csv": "OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,RetractionDate,RetractionDOI\n",
}
"""What the examples read of a reader's own."""
COPIES = {"yours.json": "mine.json", "other.pfz": "dark-energy.pfz"}
"""What another reader has sent, like what the examples have made."""
BLOCK = re.compile(
    r"(?:<!-- not run: (?P<reason>[^>]+) -->\n+)?"
    r"(?:^```(?:sh|python)\n(?P<fenced>(?:(?!```).*\n)*)^```$|(?<=\n\n)(?P<indented>(?:^ {4}.*\S.*\n)+))",
    re.MULTILINE,
)
BLANK = re.compile(r"\b[A-Z][A-Z_]+\b|\.\.\.|\[|\|")
"""What a reader has to fill in, may leave out or can choose from."""


class Example(NamedTuple):
    """A block of commands, or of Python."""

    page: str
    text: str
    reason: str | None
    """Why it is not run; `None` if it is."""

    @property
    def is_python(self) -> bool:
        return re.match(r"(from pathfinder|pf\b|result =|changes =)", self.text) is not None

    @property
    def commands(self) -> list[str]:
        lines = re.sub(r"\n {2,}", " ", self.text).splitlines()
        return [line for line in lines if line.startswith("pathfinder ")]


def examples(page: Path) -> Iterator[Example]:
    for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
        text = match["fenced"] or re.sub(r"^ {4}", "", match["indented"], flags=re.MULTILINE)
        example = Example(page.name, text, match["reason"])
        if example.is_python or example.commands:
            yield example


EXAMPLES = [example for page in PAGES for example in examples(page)]


def filled(command: str) -> str:
    """A command with what every reader has in place of its name."""
    return re.sub(r"\b(DIR|QUESTION)\b", lambda match: shlex.quote(GIVEN[match[0]]), command)


def is_whole(command: str) -> bool:
    """Whether nothing in a command has to be filled in."""
    outside_quotes = re.sub(r"\"[^\"]*\"", "", command.partition(" # ")[0])
    return BLANK.search(outside_quotes.replace("  ", " ")) is None and '"..."' not in command


def test_every_command_and_option_in_the_pages_exists() -> None:
    commands = [(example.page, command) for example in EXAMPLES for command in example.commands]
    assert len(commands) > 80
    assert [fault for page, command in commands for fault in faults(page, command)] == []


@cache
def whole_program() -> Any:
    return command_line()


def faults(page: str, line: str) -> Iterator[str]:
    """What of a line the command line does not have."""
    words = re.findall(r"[^\s\[\]|]+", line.partition(" # ")[0])[1:]
    command = whole_program()
    while hasattr(command, "commands"):
        word = words.pop(0) if words else ""
        if word not in command.commands:
            yield f"{page}: {word!r} in {line!r} is no command"
            return
        command = command.commands[word]
    options = {name for parameter in command.params for name in parameter.opts + parameter.secondary_opts}
    for word in words:
        if word.startswith("--") and word.partition("=")[0] not in options:
            yield f"{page}: {line!r} has no option {word}"


@pytest.mark.build
@pytest.mark.parametrize("page", sorted({example.page for example in EXAMPLES} - {"README.md"}))  # see test_readme.py
def test_the_examples_of_a_page_run(
    page: str, landmarks_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PATHFINDER_CORPUS", "build/landmarks")
    shutil.copytree(landmarks_corpus, tmp_path / "build" / "landmarks")
    shutil.copytree(ROOT / "benchmarks" / "profiles", tmp_path / "benchmarks" / "profiles")
    for name, content in FILES.items():
        Path(name).write_text(content, encoding="utf-8")
    for example in EXAMPLES:
        if example.page != page or example.reason is not None:
            continue
        if example.is_python:
            pf = Pathfinder.open("build/landmarks", settings=Settings(_env_file=None))
            exec(compile(example.text, page, "exec"), {"pf": pf})
        for command in map(filled, example.commands):
            if is_whole(command):
                run(command)


def run(line: str) -> None:
    """Run a command; `> FILE` stores what it prints."""
    command, _, target = line.partition(" > ")
    for copy, original in COPIES.items():
        if copy in command:
            shutil.copy(original, copy)
    printed, complaints = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaints):
        status = main(shlex.split(command, comments=True)[1:])
    assert status == 0, f"{line}: {complaints.getvalue()}"
    assert printed.getvalue() or complaints.getvalue(), line
    if target:
        Path(shlex.split(target, comments=True)[0]).write_text(printed.getvalue(), encoding="utf-8")
