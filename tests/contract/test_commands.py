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

EXPECTED: dict[str, Any] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (HERE / "commands").glob("*.json")
}


BY_KEYWORDS = {
    "build_small_search": (
        "$.output.stages.sparse:",
        *(f"$.output.hits[{n}].score.{part}:" for n in range(4) for part in ("sparse", "fused", "final")),
    )
}
"""What a corpus that is built anew gives otherwise since 0.3.0, which searches the keywords of papers: the scores. The
papers found, their order and the corpora of earlier versions stay.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with shared_models():
        yield fill(tmp_path_factory.mktemp("commands"))


def test_every_command_of_the_list_is_recorded():
    assert set(COMMANDS) == set(EXPECTED)
    assert {name: expected["arguments"] for name, expected in EXPECTED.items()} == COMMANDS


def is_build(name: str) -> bool:
    """Whether a command builds a corpus, or needs one that another command builds."""
    return COMMANDS[name][:1] in (["build"], ["evaluate"]) or name in NEEDS


CASES = [pytest.param(name, marks=pytest.mark.build if is_build(name) else ()) for name in COMMANDS]


@pytest.mark.parametrize("name", CASES)
def test_a_command_gives_programs_what_it_gave_in_the_first_version(name, folder, monkeypatch):
    expected = EXPECTED[name]
    monkeypatch.chdir(folder)
    if name in NEEDS and not Path(NEEDS[name][0]).exists():
        outcome(COMMANDS[NEEDS[name][1]])  # of another worker, or not chosen to run
    actual = outcome(expected["arguments"], expected.get("files", ()))
    assert actual["exit_status"] == expected["exit_status"], actual["output"]
    kept = [each for each in differences(expected, actual) if not each.startswith(BY_KEYWORDS.get(name, "no place"))]
    assert not kept
    if "error" in expected["output"]:
        assert actual["output"]["error"].startswith("pathfinder: ")
    if "--help" in actual["arguments"]:
        before, now = expected["output"]["lines"], actual["output"]["lines"]
        assert (options(before) - options(now), choices(before) - choices(now)) == (set(), set())
    if "--list" in actual["arguments"]:
        assert slugs(expected["output"]["lines"]) <= slugs(actual["output"]["lines"])
