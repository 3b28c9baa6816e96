"""What papers lack is "none" only if every source has denied it; failures and hosts not asked are counted apart."""

import json
from pathlib import Path

import pytest

from pathfinder.building.ledger import FULL_TEXT, FieldCoverage, completeness, ledger
from pathfinder.corpus.store import open_corpus
from tests.building.test_filling import library

pytestmark = pytest.mark.build

DAY = "2026-11-22"
DENIED = {"day": DAY, "why": "none: neither arXiv nor OpenAlex knows an open text", "is_absent": True}
FAILED = {"day": DAY, "why": "https://host/a.pdf is not given out (replied with error 503)"}
NONE = {"day": DAY, "why": "none"}
SKIPPED = {"day": DAY, "why": "no identifier", "was_asked": False}


def corpus_with(tmp_path: Path, answers: dict[str, dict[str, dict[str, object]]]) -> Path:
    titles = {"a": "Warm gas", "b": "Cold dust", "c": "Young stars", "d": "Dim galaxies"}
    corpus = library(tmp_path, "".join(f"@article{{{each}, title={{{titles[each]}}}}}" for each in answers))
    (corpus / "asked.json").write_text(json.dumps(answers))
    return corpus


def test_a_full_text_whose_host_failed_is_not_counted_as_one_that_no_host_has(tmp_path: Path) -> None:
    answers = {"a": {FULL_TEXT: DENIED}, "b": {FULL_TEXT: DENIED}, "c": {FULL_TEXT: FAILED}, "d": {}}
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
    }
    corpus = open_corpus(corpus_with(tmp_path, answers))
    assert completeness(corpus)["abstract"] == FieldCoverage(0, {}, none=1, not_asked=1)
