"""What 0.1.0 wrote to programs: every later version writes it, too."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.contract.cases import COMMANDS, NEEDS
from tests.contract.commands import choices, options, outcome, slugs
from tests.contract.compare import differences
from tests.contract.workspace import HERE, fill, shared_models

RECORDED: dict[str, Any] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (HERE / "commands").glob("*.json")
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with shared_models():
        yield fill(tmp_path_factory.mktemp("commands"))


def test_every_command_of_the_list_is_recorded():
    assert set(COMMANDS) == set(RECORDED)
    assert {name: recorded["arguments"] for name, recorded in RECORDED.items()} == COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_gives_programs_what_it_gave_in_the_first_version(name, folder, monkeypatch):
    recorded = RECORDED[name]
    monkeypatch.chdir(folder)
    if name in NEEDS and not Path(NEEDS[name][0]).exists():
        outcome(COMMANDS[NEEDS[name][1]])  # of another worker, or not chosen to run
    done = outcome(recorded["arguments"], recorded.get("files", ()))
    assert done["exit_status"] == recorded["exit_status"], done["output"]
    assert not list(differences(recorded, done))
    if "error" in recorded["output"]:
        assert done["output"]["error"].startswith("pathfinder: ")
    if "--help" in done["arguments"]:
        before, now = recorded["output"]["lines"], done["output"]["lines"]
        assert (options(before) - options(now), choices(before) - choices(now)) == (set(), set())
    if "--list" in done["arguments"]:
        assert slugs(recorded["output"]["lines"]) <= slugs(done["output"]["lines"])
