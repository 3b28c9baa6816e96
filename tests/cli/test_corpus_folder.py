"""A corpus is named in one way everywhere: by --corpus, or by PATHFINDER_CORPUS; DIR stands for it where it did."""

from collections.abc import Iterator
from typing import Any

import pytest
from typer.core import TyperGroup

from pathfinder.cli.app import command_line
from pathfinder.cli.options import FOLDER_HELP


def commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[Any]:
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from commands(command, (*words, name))
        else:
            yield pytest.param(command, id=" ".join((*words, name)))


@pytest.mark.parametrize("command", [*commands(command_line())])
def test_whatever_reads_a_corpus_takes_the_option_once(command: Any) -> None:
    n = [option for parameter in command.params for option in parameter.opts].count("--corpus")
    reads = bool(command.params) and getattr(command.params[0], "help", None) == FOLDER_HELP
    assert reads <= n <= 1


@pytest.mark.parametrize("words", [["info", "--json"], ["shelf", "list", "--json"], ["merges", "--json"]])
def test_the_folder_the_option_and_the_setting_name_the_same_corpus(
    words: list[str], run: Any, corpus: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))
    named = run(*words, corpus)
    assert named.status == 0
    assert run(*words, "--corpus", corpus) == named
    assert run(*words).status == 2
    monkeypatch.setenv("PATHFINDER_CORPUS", str(corpus))
    assert run(*words) == named


def test_a_corpus_that_is_named_is_preferred_to_the_one_of_the_settings(
    run: Any, corpus: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("PATHFINDER_CORPUS", str(tmp_path / "elsewhere"))
    assert run("info", corpus).status == run("info", "--corpus", corpus).status == 0
    assert run("info").status == 1
