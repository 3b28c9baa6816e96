"""What papers lack is "none" only if every source has denied it; failures and hosts not asked are counted apart."""

import json
from pathlib import Path

import pytest

from pathfinder.building.ledger import FULL_TEXT, FieldCoverage, completeness, ledger, read_answers, write_answers
from pathfinder.corpus.store import open_corpus
from tests.building.test_filling import library

pytestmark = pytest.mark.build

DAY = "2026-11-22"
DENIED = {"day": DAY, "why": "none: neither arXiv nor OpenAlex knows an open text", "is_absent": True}
DENIED_BEFORE = {"day": DAY, "why": DENIED["why"], "was_asked": True}  # as a version without `is_absent` stored it
FAILED = {"day": DAY, "why": "https://host/a.pdf is not given out (replied with error 503)"}
NONE = {"day": DAY, "why": "none"}
SKIPPED = {"day": DAY, "why": "no identifier", "was_asked": False}
SKIPPED_BEFORE = {"day": DAY, "why": "no identifier"}  # as a version without `was_asked` stored it


def corpus_with(tmp_path: Path, answers: dict[str, dict[str, dict[str, object]]]) -> Path:
    titles = {"a": "Warm gas", "b": "Cold dust", "c": "Young stars", "d": "Dim galaxies"}
    corpus = library(tmp_path, "".join(f"@article{{{each}, title={{{titles[each]}}}}}" for each in answers))
    (corpus / "asked.json").write_text(json.dumps(answers))
    return corpus


def test_a_full_text_whose_host_failed_is_not_counted_as_one_that_no_host_has(tmp_path: Path) -> None:
    answers = {"a": {FULL_TEXT: DENIED}, "b": {FULL_TEXT: DENIED_BEFORE}, "c": {FULL_TEXT: FAILED}, "d": {}}
    corpus = open_corpus(corpus_with(tmp_path, answers))
    assert completeness(corpus)[FULL_TEXT] == FieldCoverage(0, {}, none=2, not_asked=1, unavailable=1)
    texts = {entry.paper_id: entry.holdings[FULL_TEXT] for entry in ledger(corpus)}
    assert [(texts[each].why, texts[each].is_absent) for each in answers] == [
        (DENIED["why"], True),
        (DENIED["why"], True),
        (FAILED["why"], False),
        ("not asked", False),
    ]


def test_a_host_that_was_skipped_for_want_of_an_identifier_has_not_denied_anything(tmp_path: Path) -> None:
    able = dict.fromkeys(("openalex", "arxiv"), NONE)
    answers = {
        "a": {**able, "crossref": NONE},
        "b": {**able, "crossref": SKIPPED},
        "c": {**able, "crossref": SKIPPED_BEFORE},
    }
    corpus = open_corpus(corpus_with(tmp_path, answers))
    assert completeness(corpus)["abstract"] == FieldCoverage(0, {}, none=1, not_asked=2)


def test_answers_of_an_earlier_version_are_written_as_those_of_this_one(tmp_path: Path) -> None:
    old = {"a": {FULL_TEXT: DENIED_BEFORE, "crossref": SKIPPED_BEFORE, "openalex": NONE}, "b": {FULL_TEXT: FAILED}}
    corpus = corpus_with(tmp_path, old)
    write_answers(corpus, read_answers(corpus), old)
    assert json.loads((corpus / "asked.json").read_text()) == {
        "a": {FULL_TEXT: DENIED, "crossref": SKIPPED, "openalex": NONE},
        "b": {FULL_TEXT: FAILED},
    }
