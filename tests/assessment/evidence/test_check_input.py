"""Input of a check: what is accepted, and what is refused."""

import json

import pytest

from pathfinder.assessment.evidence.ledger import check_effort, read_check_input, read_pasted
from pathfinder.errors import UsageError
from pathfinder.types import Source

GOOD = {"text": "Gas cools [1].", "sources": [{"id": "1", "title": "On gas", "text": "Gas cools."}]}


def with_source(**fields: object) -> dict[str, object]:
    return {**GOOD, "sources": [{**GOOD["sources"][0], **fields}]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "it must be"),
        ({}, "text: Field required"),
        ({"text": "x"}, "sources: Field required"),
        ({**GOOD, "text": 3}, "text: Input should be a valid string"),
        ({**GOOD, "text": " \n"}, "text: it contains no words"),
        ({**GOOD, "model": "x"}, "model: Extra inputs are not permitted"),
        ({**GOOD, "sources": {}}, "sources: Input should be a valid"),
        (with_source(id=1), "sources.0.id: Input should be a valid string"),
        (with_source(id=""), "sources.0.id"),
        (with_source(id="a]b"), "sources.0.id"),
        (with_source(text=None), "sources.0.text"),
        (with_source(text="  "), "sources.0.text"),
        (with_source(year=2020), "sources.0.year"),
        ({**GOOD, "sources": GOOD["sources"] * 2}, "two sources have the id '1'"),
    ],
)
def test_what_has_another_shape_is_refused_by_name(content: object, message: str):
    with pytest.raises(UsageError) as error:
        read_check_input(json.dumps(content), "paper.json")
    assert message in str(error.value)
    assert "paper.json" in str(error.value)


@pytest.mark.parametrize("unit", ["Ab{}. ", "{}.5 ", "NGC {}, ", "Dust of {} grains. "])
def test_a_text_with_too_much_to_compare_is_refused(unit: str):
    text = "".join(map(unit.format, range(5000)))[:20_000]
    with pytest.raises(UsageError, match="check it in parts"):
        check_effort(text, [Source("1", "", text)])


def test_what_is_repeated_is_compared_once():
    check_effort("We find 1.5 stars. " * 1000, [Source("1", "", "We find 1.5 stars. " * 10_000)])


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"null"])
def test_what_is_no_json_object_is_refused(content: bytes):
    with pytest.raises(UsageError, match=r"paper\.json cannot be checked"):
        read_check_input(content, "paper.json")


def test_a_file_is_read_and_a_title_may_be_missing():
    text, (source,) = read_check_input(json.dumps({"text": "x", "sources": [{"id": "1", "text": "y"}]}), "f")
    assert (text, source.source_id, source.title, source.text) == ("x", "1", "", "y")


@pytest.mark.parametrize(
    ("text", "sources", "message"),
    [
        ("", "[1] x", "there is no text"),
        ("x", "", "must begin with a mark"),
        ("x", "words [1] x", "must begin with a mark"),
        ("x", "[1]\n[2] y", r"source \[1\] has no text"),
        ("x", "[1] y\n[1] z", "two sources have the id '1'"),
    ],
)
def test_what_is_pasted_wrongly_is_refused(text: str, sources: str, message: str):
    with pytest.raises(UsageError, match=message):
        read_pasted(text, sources)


def test_pasted_sources_are_told_apart_by_their_marks():
    _, (first, second) = read_pasted("x", "[1] On gas\nGas cools [3].\nAnd heats.\n[b 2] Dust heats.")
    assert (first.source_id, first.title, first.text) == ("1", "On gas", "Gas cools [3].\nAnd heats.")
    assert (second.source_id, second.title, second.text) == ("b 2", "", "Dust heats.")


def test_a_mark_of_byte_order_is_no_part_of_the_json():
    content = '{"text": "Discs fade [1].", "sources": [{"id": "1", "text": "Discs fade."}]}'
    assert read_check_input(b"\xef\xbb\xbf" + content.encode(), "a file") == read_check_input(content, "a file")
