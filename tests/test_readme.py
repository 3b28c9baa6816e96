"""What the README says can be done is done here, and what it points at is there."""

import gzip
import json
import re
import shlex
from pathlib import Path

import pytest

from pathfinder.cli.app import main
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, QUASARS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
COMMANDS = [line for language, block in BLOCKS if language == "sh" for line in block.splitlines()]


def test_every_block_is_of_a_kind_that_is_tried_here() -> None:
    assert {language for language, _ in BLOCKS} == {"python", "sh"}
    assert all(command.startswith("pathfinder ") for command in COMMANDS)


@pytest.mark.parametrize("code", [block for language, block in BLOCKS if language == "python"])
def test_the_python_of_the_readme_runs(code: str, golden_corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "build/landmarks" in code
    exec(compile(code.replace("build/landmarks", str(golden_corpus)), "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert printed.startswith("1 ")
    assert "Hubble constant" in printed


def test_the_commands_of_the_readme_run(
    tmp_path: Path, golden_corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "landmarks").symlink_to(golden_corpus)
    with gzip.open("papers.jsonl.gz", "wt", encoding="utf-8") as papers:
        papers.writelines(f"{json.dumps(paper)}\n" for paper in (GALAXIES, PLANETS, PULSARS, QUASARS))
    for command in COMMANDS:
        assert main(shlex.split(command, comments=True)[1:]) == 0, (command, capsys.readouterr().err)
        printed = capsys.readouterr().out
        assert json.loads(printed) if "--json" in command else printed


def test_every_make_command_of_the_readme_is_one() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:^    |`)make ([a-z-]+)", README, re.MULTILINE))
    assert {"app", "test"} <= named <= targets


def test_every_file_that_the_readme_points_at_is_there() -> None:
    linked = [target for target in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in target]
    assert linked
    assert [target for target in linked if not (ROOT / target).exists()] == []
