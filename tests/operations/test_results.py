"""What programs get of an operation: a model, read from the outcome, that describes itself."""

from typing import NamedTuple

import pytest
from pydantic import TypeAdapter

from pathfinder.errors import PathfinderError, StoreError
from pathfinder.operations.operation import TEXT, Count, QuotedPaper, Result, declare, result_of
from pathfinder.types import Paper

PAPER = Paper("a", "Dust", "We measure dust.", year=2019)


class Size(NamedTuple):
    """A size."""

    width: float
    """Width [m]."""
    note: str | None = None


class Box(NamedTuple):
    """A box of papers."""

    name: str
    papers: tuple[Paper, ...]
    size: Size | None = None
    notes: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Its name in capitals."""
        return self.name.upper()

    @property
    def volume(self) -> float:
        """What no box knows."""
        raise StoreError("the disk is gone")


def written(result: type[Result], outcome: object) -> object:
    return declare("box", result=result, lines=str)(lambda _: None).write(outcome)


def test_parts_stand_beside_their_whole_and_empty_or_missing_ones_are_left_out():
    model = result_of(
        Box, "name", flat="size", if_any="notes", label="label", n=(Count, "papers"), papers=[QuotedPaper]
    )
    dust = {"paper_id": "a", "title": "Dust", "year": 2019, "status": None, "is_summary": False}
    assert written(model, Box("b", (PAPER,), Size(2))) == {
        "papers": [dust], "width": 2, "note": None, "label": "B", "n": 1,
    }  # fmt: skip
    assert written(model, Box("b", (), notes=("empty",))) == {"papers": [], "notes": ["empty"], "label": "B", "n": 0}


def test_a_path_into_what_is_not_there_is_null():
    model = result_of(Box, "papers notes size", width="size.width")
    assert written(model, Box("b", ())) == {"name": "b", "width": None}
    assert written(model, Box("b", (), Size(3))) == {"name": "b", "width": 3}


def test_a_property_that_fails_is_named_with_the_reason():
    with pytest.raises(PathfinderError, match=r"volume: .*the disk is gone"):
        written(result_of(Box, volume="volume"), Box("b", ()))


def test_its_fields_are_described_by_the_docstrings_of_what_they_are_read_from():
    schema = result_of(Box, flat="size", label="label").model_json_schema(mode="serialization")
    described = {name: each["description"] for name, each in schema["properties"].items() if "description" in each}
    assert described == {"width": "Width [m].", "label": "Its name in capitals."}
    assert set(schema["required"]) == {"name", "papers", "notes", "label"}


def test_without_one_it_is_derived_from_what_the_function_returns():
    def boxes(_: None) -> tuple[Box, ...] | None:
        """Return boxes."""
        return None

    operation = declare("boxes", lines=str)(boxes)
    assert operation.write(None) is None
    paper = {"paper_id": "a", "title": "Dust", "year": 2019, "status": None}
    assert operation.write((Box("b", (PAPER,)),)) == [{"name": "b", "papers": [paper], "size": None, "notes": []}]


def test_the_text_of_a_file_is_an_object():
    def text(_: None) -> str:
        """Return text."""
        return "dust"

    operation = declare("text", **TEXT)(text)
    assert operation.write("dust") == {"text": "dust"}
    assert set(TypeAdapter(operation.model).json_schema()["properties"]) == {"text"}
