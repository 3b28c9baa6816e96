"""The papers of a result, compared column by column on the page."""

import csv
import io
import json

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.addons.comparison.operation import (
    OPERATION,
    ComparisonCell,
    ComparisonRow,
    ComparisonTable,
    comparison_csv,
    comparison_latex,
    comparison_markdown,
)
from pathfinder.types import Paper, Verdict
from tests.ui.test_pages import Open, ask, page_text, ran

__all__ = ["ask"]  # a fixture


@pytest.fixture
def comparison(ask: Open) -> AppTest:
    page = ask(q="What is the value of the Hubble constant?", k="3")
    page.button_group(key="papers-as").set_value("Comparison")
    return ran(page.run())


def lines_of(page: AppTest) -> list[str]:
    (table,) = [part.value for part in page.markdown if part.value.startswith("| Paper |")]
    return table.splitlines()


def test_the_papers_found_are_compared_with_their_own_sentences(comparison: AppTest) -> None:
    head, _, *rows = lines_of(comparison)
    assert head == "| Paper | sample | result | limitation |"
    assert "Nothing was found in the titles and abstracts for: method." in page_text(comparison)
    assert len(rows) == 3
    assert "sentence from the abstract that suits the column best" in page_text(comparison)


def test_a_column_that_a_reader_adds_is_filled_in(comparison: AppTest) -> None:
    comparison.multiselect(key="comparison-columns").set_value(["value of the Hubble constant"])
    ran(comparison.run())
    head, _, *rows = lines_of(comparison)
    assert head == "| Paper | value of the Hubble constant |"
    assert any("km" in row for row in rows)


def test_only_the_selected_papers_are_compared(comparison: AppTest) -> None:
    comparison.session_state["selected-papers"] = (comparison.session_state["view"].result.hits[1].paper.paper_id,)
    ran(comparison.run())
    assert len(lines_of(comparison)) == 3
    assert "Only the selected papers are shown." in page_text(comparison)


def test_the_conditions_of_a_question_are_chips_and_papers_can_be_filtered_by_them(ask: Open) -> None:
    page = ask(q="measurements of the Hubble constant from supernovae, not simulations", k="3")
    page.button_group(key="papers-as").set_value("Comparison")
    ran(page.run())
    (chips,) = [box for box in page.multiselect if box.label == "Criteria"]
    assert chips.value == ["Hubble constant", "supernovae", "not simulations"]
    head, _, *rows = lines_of(page)
    assert head == "| Paper | Hubble constant | supernovae | not simulations |"
    assert all("-badge[" in row for row in rows)
    page.button_group(key="comparison-met").set_value(["Hubble constant"])
    ran(page.run())
    assert all(row.split(" | ")[1].startswith(":green-badge[yes]") for row in lines_of(page)[2:])


# A comparison table as JSON, CSV, LaTeX and Markdown.


RIESS = Paper("riess", "Distances & errors", "", authors=("Riess, A. G.", "Yuan, W."), year=2022)
CELL = ComparisonCell("73.0 ± 1.0 km/s/Mpc", "It is 73.0 ± 1.0 km/s/Mpc.", ("73.0 ± 1.0 km/s/Mpc",))
DOUBTFUL = ComparisonCell("=50% | all", "", (), Verdict.SUPPORTED)
TABLE = ComparisonTable(
    ("value", "share_of_it"), (ComparisonRow(RIESS, (CELL, DOUBTFUL)),), "fake:scripted", ("a note",)
)


def test_the_record_says_for_each_cell_what_bears_it_out() -> None:
    record = OPERATION.write(TABLE)
    assert (record["columns"], record["model"], record["notes"]) == (
        ["value", "share_of_it"],
        "fake:scripted",
        ["a note"],
    )
    ((first, second),) = (row["cells"] for row in record["rows"])
    assert (first["text"], first["verdict"], first["doubt"]) == ("73.0 ± 1.0 km/s/Mpc", None, None)
    assert (second["verdict"], second["doubt"]) == ("supported", "its quotation is not in the paper")


def test_csv_has_a_column_for_each_quotation_and_runs_no_formula() -> None:
    head, row = csv.reader(io.StringIO(comparison_csv(TABLE)))
    assert head == ["id", "title", "year", "url", "value", "value: quotation", "share_of_it", "share_of_it: quotation"]
    assert row[4:6] == ["73.0 ± 1.0 km/s/Mpc", "It is 73.0 ± 1.0 km/s/Mpc."]
    assert row[6:] == ["'=50% | all [no quotation]", ""]


def test_latex_is_escaped_and_markdown_keeps_its_columns() -> None:
    latex = comparison_latex(TABLE)
    assert r"Paper & value & share\_of\_it \\" in latex
    assert "Riess and Yuan 2022 &" in latex
    assert r"=50\% \textbar{} all [no quotation] \\" in latex
    assert comparison_markdown(TABLE).splitlines() == [
        r"| paper | value | share\_of\_it |",
        "| --- | --- | --- |",
        r"| Riess and Yuan 2022 | 73.0 ± 1.0 km/s/Mpc | \=50% \| all \[no quotation\] |",
    ]


# `pathfinder table`: papers compared column by column.


QUESTION = "How do young galaxies form?"


def test_each_paper_has_a_line_for_each_column(run, corpus):
    lines = run("table", QUESTION, "--corpus", corpus, "--column", "result", "--column", "limitation").out.splitlines()
    assert lines[0].endswith(" galaxies")
    assert [line.split(":")[0].strip() for line in lines[1:3]] == ["result", "limitation"]


def test_json_and_the_formats_hold_the_same_columns(run, corpus):
    record = json.loads(run("table", QUESTION, "--corpus", corpus, "--json").out)
    assert record["columns"] == ["sample", "method", "result", "limitation"]
    assert run("table", QUESTION, "--corpus", corpus, "--format", "csv").out.startswith("id,title,year,url,sample,")
    assert run("table", QUESTION, "--corpus", corpus, "--format", "latex").out.startswith(r"\begin{tabularx}")
    assert run("table", QUESTION, "--corpus", corpus, "--format", "markdown").out.startswith("| paper | sample |")


def test_the_papers_on_a_shelf_are_marked_by_criteria(run, corpus):
    first = json.loads(run("table", QUESTION, "--corpus", corpus, "--json").out)["rows"][0]["paper_id"]
    run("shelf", "add", "Young", first, "--corpus", corpus)
    record = json.loads(run("shelf", "table", corpus, "Young", "--criterion", "galaxies", "--json").out)
    assert (record["columns"], record["criteria"]) == (["galaxies"], ["galaxies"])
