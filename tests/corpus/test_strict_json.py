"""JSON from outside: a repeated key or a NaN is refused everywhere, and never silently read as something else."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from pathfinder.answering.assessment.evidence.ledger import read_check_input
from pathfinder.corpus.readers.json_lines import parse_line
from pathfinder.corpus.schemas.fields import Unusable
from pathfinder.corpus.thesaurus.thesaurus_file import parse_with_lines
from pathfinder.errors import UsageError
from pathfinder.llm.chat import json_or_none
from pathfinder.operations.export.traces import from_json, to_json
from pathfinder.retrieval.expansion.synonyms import load_own_synonyms
from pathfinder.text.strict_json import parse_as, parse_json
from pathfinder.types import Ended, Trace

CHECK_INPUT = b'{"text": "It is hot [1].", "sources": [{"id": "1", "text": "It is cold."%s}]}'


def test_ordinary_json_is_read_with_stray_control_characters():
    assert parse_json('{"a": [1, {"b": null}], "c": "x\ty"}') == {"a": [1, {"b": None}], "c": "x\ty"}


@pytest.mark.parametrize("parse", [parse_json, parse_with_lines])
def test_a_repeated_key_at_any_depth_and_a_nan_are_refused(parse: Callable[[str], object]):
    with pytest.raises(ValueError, match="'b'"):
        parse('{"a": [{"b": 1, "b": 1}]}')
    for name in ("NaN", "Infinity", "-Infinity"):
        with pytest.raises(ValueError, match=name):
            parse(f'{{"a": {name}}}')


def test_papers_an_expansion_map_and_sources_to_check_with_a_repeated_key_are_refused(tmp_path: Path):
    with pytest.raises(Unusable, match=r"JSON.*'title'"):
        parse_line(b'{"title": "Dust", "title": "Gas"}')
    (tmp_path / "map.json").write_text('{"Cepheid": ["pulsating star"], "Cepheid": ["delta Cephei star"]}')
    with pytest.raises(UsageError, match="'Cepheid'"):
        load_own_synonyms(tmp_path / "map.json")
    assert read_check_input(CHECK_INPUT % b"", "check.json")[1][0].text == "It is cold."
    with pytest.raises(UsageError, match=r"check\.json.*'text'"):
        read_check_input(CHECK_INPUT % b', "text": "It is hot."', "check.json")


def test_a_record_with_a_repeated_key_a_nan_or_a_value_of_another_type_is_refused():
    numbers = TypeAdapter(dict[str, float])
    assert parse_as(numbers, b'{"a": 1.5}') == {"a": 1.5}
    with pytest.raises(ValueError, match="the key 'a' occurs twice"):
        parse_as(numbers, '{"a": 1.5, "a": 2.5}')
    with pytest.raises(ValueError, match="NaN"):
        parse_as(numbers, '{"a": NaN}')
    with pytest.raises(ValueError, match=r"^a: Input should be a valid number"):
        parse_as(numbers, '{"a": "1.5"}', strict=True)


def test_a_trace_and_a_reply_with_a_repeated_key_are_refused():
    trace = to_json(Trace("q", "agent", (), Ended.FAILED))
    with pytest.raises(UsageError, match="'ended'"):
        from_json(trace.replace('"ended"', '"ended": "failed", "ended"'))
    assert json_or_none('{"a": 1}', dict[str, int]) == {"a": 1}
    assert json_or_none('{"a": 1, "a": 2}', dict[str, int]) is None
