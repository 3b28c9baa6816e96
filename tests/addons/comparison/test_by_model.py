"""Cells by a chat model: quotations are looked up, texts are judged, and what cannot be read is an error."""

import json
import re

import pytest

from pathfinder.addons.comparison.comparison import (
    BATCH,
    DEFAULT_COLUMNS,
    MAX_COLUMNS,
    MAX_NAME,
    MAX_PAPERS,
    cells_of,
    numbers_in,
    read_columns,
    stream_table,
)
from pathfinder.addons.comparison.operation import CellDoubt, ComparisonTable
from pathfinder.answering.roles import SentenceRole
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
    ("chat", "fault"),
    [
        (ScriptedChat(lambda _: "no table"), "did not reply in the requested form"),
        (ScriptedChat(lambda _: '{"rows": []}'), "no row for "),
        (reply_with(("120 discs", SAMPLE)), "a row has 1 cells for 2 columns"),
    ],
)
def test_if_the_reply_cannot_be_read_sentences_take_its_place_and_a_note_says_why(
    chat: ScriptedChat, fault: str
) -> None:
    comparison = table(chat)
    assert comparison.model is None
    assert comparison.rows[0].cells[0] is not None
    assert comparison.rows[0].cells[0].text == SAMPLE
    (note,) = comparison.notes
    assert note.startswith("no cell was written by the chat model: ")
    assert fault in note


def test_papers_without_an_abstract_are_counted() -> None:
    comparison = table(None, papers=(*PAPERS, Paper("title", "A title alone", "")))
    assert comparison.notes == ("1 of the papers have no abstract in this corpus, so their rows are empty",)
    assert comparison.rows[-1].cells == (None, None)


@pytest.mark.parametrize("n", [0, MAX_PAPERS + 1])
def test_a_table_of_no_paper_or_too_many_is_refused(n: int) -> None:
    with pytest.raises(UsageError, match=f"1 to {MAX_PAPERS} papers, not {n}: choose some of them"):
        table(None, papers=PAPERS[:1] * n)


# Cells without a chat model: sentences and values of the papers.


BACKGROUND = "Discs around young stars are the places where planets form."
OWN_SAMPLE = "We observed a sample of 120 discs in Lupus with ALMA at 1.3 mm."
METHOD = "Radiative transfer models are fitted to the visibilities using a Monte Carlo approach."
OWN_RESULT = "We find that a third of the discs have gaps, with a mean radius of 40 ± 5 au."
LIMITATION = "The masses remain uncertain, because the assumed opacities are not yet measured."
PAPER = Paper("discs", "Gaps in discs", f"{BACKGROUND} {OWN_SAMPLE} {METHOD} {OWN_RESULT} {LIMITATION}")


def cells(paper: Paper, *names: str) -> list[str | None]:
    found_cells = cells_of(paper, read_columns(names), MiniLM())
    return [cell and cell.text for cell in found_cells]


def test_each_role_has_the_sentence_that_plays_it() -> None:
    assert cells(PAPER, *DEFAULT_COLUMNS) == [OWN_SAMPLE, METHOD, OWN_RESULT, LIMITATION]


def test_a_cell_is_empty_where_no_sentence_suits_the_column() -> None:
    bare = Paper("bare", "Discs", BACKGROUND)
    assert cells(bare, "limitation", "method", "value of the Hubble constant") == [None, None, None]
    assert cells(Paper("title", "A title alone", ""), "result") == [None]


def test_the_result_is_the_papers_own_value_and_a_time_is_no_sample() -> None:
    own = "The final Hubble constant of the project is 72 ± 8 km/s/Mpc."
    others = "It ended the controversy between values of 50 and 100 km/s/Mpc."
    inverse = "The inverse of the Hubble constant becomes about 13 x 10^9 years."
    text = f"{own} Cepheids calibrate five indicators. {inverse} {others}"
    assert cells(Paper("h0", "A constant", text), "sample", "result") == [None, own]
    assert numbers_in(others) == ()


def test_another_column_has_the_sentence_with_its_words_or_else_the_closest_one() -> None:
    assert cells(PAPER, "opacities") == [LIMITATION]
    assert cells(PAPER, "chocolate cake") == [None]


def test_a_quantity_has_its_value_and_the_sentence_that_states_it() -> None:
    text = "Distances are hard. We measure a Hubble constant of 73.0 ± 1.0 km/s/Mpc with Cepheids."
    (cell,) = cells_of(Paper("h0", "Cepheids", text), read_columns(["value of the Hubble constant"]), MiniLM())
    assert cell is not None
    assert cell.text == "73.0 ± 1.0 km/s/Mpc"
    assert cell.quotation == "We measure a Hubble constant of 73.0 ± 1.0 km/s/Mpc with Cepheids."
    assert (cell.verdict, cell.doubt) == (None, None)


def test_numbers_are_those_with_a_unit_or_an_uncertainty() -> None:
    assert numbers_in(OWN_RESULT) == ("40 ± 5 au",)
    assert numbers_in("We list three of 12 stars.") == ()


# The columns of a comparison table, as a reader names them.


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
