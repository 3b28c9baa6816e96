"""The columns of a comparison table, as a reader names them."""

import pytest

from pathfinder.addons.comparison.comparison import MAX_COLUMNS, MAX_NAME, read_columns
from pathfinder.answering.roles import SentenceRole
from pathfinder.errors import UsageError


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Sample", SentenceRole.SAMPLE),
        ("data", SentenceRole.SAMPLE),
        ("method used", SentenceRole.METHOD),
        ("main  findings", SentenceRole.RESULT),
        ("Limitations", SentenceRole.LIMITATION),
        ("telescope", None),
    ],
)
def test_a_column_has_the_role_that_its_name_says(name: str, role: SentenceRole | None) -> None:
    (column,) = read_columns([name])
    assert (column.name, column.role, column.target) == (" ".join(name.split()), role, None)


@pytest.mark.parametrize("name", ["value of the Hubble constant", "Hubble constant"])
def test_a_column_named_after_a_quantity_asks_for_its_values(name: str) -> None:
    (column,) = read_columns([name])
    assert column.target is not None
    assert column.target.kind.is_universal


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        ([], "a comparison table has 1 to 8 columns, not 0"),
        (list("abcdefghi"), f"a comparison table has 1 to {MAX_COLUMNS} columns, not 9"),
        (["sample", "  "], "the column '' has 0 characters: use 1 to 80"),
        (["x" * 81], f"has 81 characters: use 1 to {MAX_NAME}"),
        (["Sample", "sample "], "the column 'sample' is listed twice: name each column once"),
    ],
)
def test_columns_that_make_no_table_are_refused(names: list[str], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        read_columns(names)
