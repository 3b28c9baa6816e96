"""What operations ask of a chat model and of the network is said wherever they are described."""

from pathlib import Path

import pytest

from pathfinder.cli.app import main
from pathfinder.operations import OPERATIONS
from pathfinder.operations.operation import Need

DOCS = Path(__file__).parents[2] / "docs" / "operating.md"


def needs_table() -> str:
    """Return the operations that need something as Markdown, by what they need."""
    named = {need: ", ".join(f"`{each.name}`" for each in OPERATIONS.all() if need in each.needs) for need in Need}
    return "\n".join(
        ("| what is asked | operations |", "|---|---|", *(f"| {each} | {named[each]} |" for each in Need), "")
    )


def test_the_docs_have_the_table_of_needs_as_it_is_declared() -> None:
    assert needs_table() in DOCS.read_text(encoding="utf-8"), f"replace the table by\n\n{needs_table()}"


@pytest.mark.parametrize(("name", "need"), [("consensus", Need.CHAT), ("morning", Need.NETWORK)])
def test_the_help_and_the_description_say_what_is_needed(
    name: str, need: Need, capsys: pytest.CaptureFixture[str]
) -> None:
    operation = OPERATIONS.get(name)
    assert operation.may_wait
    assert operation.description.endswith(need)
    assert main([name, "--help"]) == 0
    assert need in " ".join(capsys.readouterr().out.split())
