"""Cells by a chat model: quotations are looked up, texts are judged, and what cannot be read is an error."""

import json
import re

import pytest

from pathfinder.addons.comparison.comparison import (
    BATCH,
    MAX_PAPERS,
    read_columns,
    stream_table,
)
from pathfinder.addons.comparison.outcome import CellDoubt, ComparisonTable
from pathfinder.errors import UsageError
from pathfinder.llm.stopping import drain
from pathfinder.models.fake import ScriptedChat
from pathfinder.models.minilm import MiniLM
from pathfinder.types import Paper, Verdict

SAMPLE = "We observed a sample of 120 discs in Lupus with ALMA."
RESULT = "We find that a third of the discs have gaps."
PAPERS = tuple(Paper(f"p{n}", f"Discs {n}", f"{SAMPLE} {RESULT}") for n in range(BATCH + 1))
KEY = re.compile(r'<source key="(\w+)">')


def reply_with(*cells: tuple[str, str]) -> ScriptedChat:
    """A model that fills in the same cells for every paper that it is shown."""

    def reply(prompt: str) -> str:
        row = [{"text": text, "quote": quote} for text, quote in cells]
        return json.dumps({"rows": [{"key": key, "cells": row} for key in KEY.findall(prompt)]})

    return ScriptedChat(reply)


def table(chat: ScriptedChat | None, *columns: str, papers: tuple[Paper, ...] = PAPERS) -> ComparisonTable:
    return drain(stream_table(papers, read_columns(columns or ("sample", "result")), chat, MiniLM()))


def test_cells_come_with_the_sentence_that_bears_them_out() -> None:
    chat = reply_with(("120 discs in Lupus, observed with ALMA", "a sample of 120 discs in Lupus"), ("", ""))
    comparison = table(chat)
    assert (comparison.model, comparison.columns, len(comparison.rows)) == (
        "fake:scripted",
        ("sample", "result"),
        BATCH + 1,
    )
    cell, empty = comparison.rows[-1].cells
    assert cell is not None
    assert (cell.quotation, cell.verdict, cell.doubt) == (SAMPLE, Verdict.SUPPORTED, None)
    assert empty is None
    assert len(chat.received) == 2  # a batch of four, and one paper more


def test_cells_that_are_not_borne_out_are_marked() -> None:
    chat = reply_with(
        ("120 discs in Lupus", "we invented a sample of 120 discs"),
        ("Black holes evaporate within a day.", "a third of the discs have gaps"),
    )
    first, second = table(chat).rows[0].cells
    assert first is not None
    assert second is not None
    assert (first.quotation, first.doubt) == ("", CellDoubt.NO_QUOTE)
    assert (second.quotation, second.doubt) == (RESULT, CellDoubt.NOT_FOUND)


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("no table", "did not reply in the requested form"),
        ('{"rows": []}', "no row for "),
    ],
)
def test_if_the_reply_cannot_be_read_sentences_take_its_place_and_a_note_says_why(reply: str, fault: str) -> None:
    comparison = table(ScriptedChat(lambda _: reply))
    assert comparison.model is None
    assert comparison.rows[0].cells[0] is not None
    assert comparison.rows[0].cells[0].text == SAMPLE
    (note,) = comparison.notes
    assert note.startswith("no cell was written by the chat model: ")
    assert fault in note


def test_a_row_with_too_few_cells_is_an_error() -> None:
    (note,) = table(reply_with(("120 discs", SAMPLE))).notes
    assert "a row has 1 cells for 2 columns" in note


def test_papers_without_an_abstract_are_counted() -> None:
    comparison = table(None, papers=(*PAPERS, Paper("title", "A title alone", "")))
    assert comparison.notes == ("1 of the papers have no abstract in this corpus, so their rows are empty",)
    assert comparison.rows[-1].cells == (None, None)


@pytest.mark.parametrize("n", [0, MAX_PAPERS + 1])
def test_a_table_of_no_paper_or_too_many_is_refused(n: int) -> None:
    with pytest.raises(UsageError, match=rf"1.*{MAX_PAPERS}.*{n}"):
        table(None, papers=PAPERS[:1] * n)
