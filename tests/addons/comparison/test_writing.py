"""A comparison table as JSON, CSV, LaTeX and Markdown."""

import csv
import io

from pathfinder.addons.comparison.operation import OPERATION
from pathfinder.addons.comparison.outcome import ComparisonCell, ComparisonRow, ComparisonTable
from pathfinder.addons.comparison.writing import comparison_csv, comparison_latex, comparison_markdown
from pathfinder.types import Paper, Verdict

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
