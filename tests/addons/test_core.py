"""The core names no add-on: none of its texts, settings or files has a word for one."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from pathfinder.plugins import ADDONS, addons
from pathfinder.settings import Settings

ROOT = ADDONS.parent
OTHER_MEANINGS = {
    *("audit", "draft", "evaluation", "judge", "shelf"),  # of texts, answers and searches
    *("comparison", "feedback", "network", "scale", "table"),  # statements; hypothetical abstracts; citations; numbers
    *("add", "evaluate", "export", "morning", "watch", "write"),  # plain English; Retraction Watch
}
"""Words for add-ons that the core uses for something else."""
READS_ENGLISH = ("answering", "assessment", "retrieval", "text")
"""Rooms whose word lists hold any word of English."""


def words() -> set[str]:
    """The names of the folders of add-ons, and the first word of each operation, group and panel that they declare."""
    groups = ("pathfinder.operations", "pathfinder.command_groups", "pathfinder.panels.")
    declared = {point.name for addon in addons() for point in addon.entry_points if point.group.startswith(groups)}
    names = {addon.name for addon in addons()} | {name.split()[0] for name in declared}
    return {name.removesuffix("s") for name in names} - OTHER_MEANINGS


def texts(path: Path) -> Iterator[str]:
    """The texts in a module, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def named_in(path: Path) -> list[str]:
    """The texts in a module with a word for an add-on."""
    pattern = re.compile(rf"(?<![a-z])(?:{'|'.join(sorted(words()))})s?(?![a-z])", re.IGNORECASE)
    return [text for text in texts(path) if pattern.search(text)]


def test_no_text_of_the_core_has_a_word_for_an_addon() -> None:
    modules = (path for path in ROOT.rglob("*.py") if path.relative_to(ROOT).parts[0] not in ("addons", *READS_ENGLISH))
    assert {str(path): named for path in modules if (named := named_in(path))} == {}


def test_a_text_with_a_word_for_an_addon_is_found(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        '''"""Screenings."""\nPARTS = "screenings/*.json", f"{PARTS} and a Capsule", "a scream"\n''', "utf-8"
    )
    assert named_in(module) == ["screenings/*.json", " and a Capsule"]


def test_no_setting_is_that_of_an_addon() -> None:
    names = {addon.name for addon in addons()}
    assert not {name for name in Settings.model_fields if name.split("_")[0] in names}
