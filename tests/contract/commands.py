"""A command that was run, as plain data: its output and what it made."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.contract.workspace import run


def outcome(arguments: list[str], paths: Iterable[str] = ()) -> dict[str, Any]:
    """Run `pathfinder ARGUMENTS...` in the folder of this process; what it gave, as it is recorded.

    The output is the JSON that was written, or its lines, or where it failed the line that says why.
    """
    status, out, err = run(list(arguments))
    record: dict[str, Any] = {"arguments": list(arguments), "exit_status": status, "output": _output(out, err)}
    if files := {name: _content(Path(name)) for name in paths}:
        record["files"] = files
    return record


def _output(out: str, err: str) -> Any:
    if not out:
        *_, last = err.splitlines() or [""]
        return {"error": last}
    try:
        return json.loads(out)
    except ValueError:
        return {"lines": out.splitlines()}


def _content(path: Path) -> Any:
    """What a file holds where that is bound; of a drawing, only how a file of its kind begins."""
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if path.suffix == ".tsv":
        return path.read_text(encoding="utf-8").splitlines()
    return {"is_there": path.is_file() and path.stat().st_size > 0, "begins": _beginning(path)}


def _beginning(path: Path) -> str:
    signatures = {b"\x89PNG\r\n\x1a\n": "png", b"<svg": "svg", b"<?xml": "svg", b"<!doctype html": "html"}
    head = path.read_bytes()[:200].lower()
    return next((kind for mark, kind in signatures.items() if head.startswith(mark.lower())), "something else")


def options(help_lines: list[str]) -> set[str]:
    """The names of options and commands that a help names at the beginning of its lines."""
    text = "\n".join(help_lines)
    beginnings = re.findall(r"^  (-\S.*?|[a-z][a-z-]+)(?:  |$)", text, re.MULTILINE)
    return {name for words in beginnings for name in re.findall(r"--[a-z-]+|^[a-z][a-z-]+", words)}


def choices(help_lines: list[str]) -> set[str]:
    """What options may be set to, where it is one of a list: `<hybrid|dense|sparse>`."""
    text = re.sub(r"\s+", "", "".join(help_lines))
    return {choice for group in re.findall(r"[<\[]([a-z-]+(?:\|[a-z-]+)+)[>\]]", text) for choice in group.split("|")}


def slugs(lines: list[str]) -> set[str]:
    """The layers that `pathfinder map --list` names."""
    return {line.split(" ")[0].rstrip(":") for line in lines}
