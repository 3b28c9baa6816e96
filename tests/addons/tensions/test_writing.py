"""Tensions as JSON and CSV."""

import csv
import io
from dataclasses import replace

from pathfinder.addons.tensions.operation import COLUMNS, describe_tensions, tensions_csv
from pathfinder.addons.tensions.operation import tensions as operation
from pathfinder.addons.tensions.tensions import LaterSentence, Tension, TensionKind, Tensions, TensionSide
from pathfinder.types import Paper, StatedValue

VALUE = StatedValue("early", "Hubble constant", 67.4, 0.5, 0.5, "km/s/Mpc", None, None, 0, 9)
EARLY = TensionSide(Paper("early", "Early", "", year=2020), "It is 67.4 ± 0.5 km/s/Mpc.", VALUE, "We use maps.")
LATE = TensionSide(Paper("late", "Late", "", year=2022), "=It is 73 ± 1 km/s/Mpc.")
LATER = LaterSentence(Paper("later", "Later", "", year=2023), "Both agree.")
TENSION = Tension(TensionKind.VALUES, "Hubble constant", (EARLY, LATE), "5.0 sigma apart", 5.0, (LATER,))
TENSIONS = Tensions("?", 2, 2, (TENSION,))


def test_the_record_has_both_sides_and_the_later_word() -> None:
    (record,) = operation.write(TENSIONS)["tensions"]
    assert (record["kind"], record["sigma"]) == ("values", 5.0)
    assert [side["paper_id"] for side in record["sides"]] == ["early", "late"]
    assert record["sides"][0]["value"]["value"] == 67.4
    assert record["sides"][1]["value"] is None
    assert record["later"] == [
        {"paper_id": "later", "title": "Later", "year": 2023, "status": None, "quotation": "Both agree."}
    ]


def test_csv_has_a_line_for_each_and_runs_no_formula() -> None:
    head, row = csv.reader(io.StringIO(tensions_csv(TENSIONS)))
    assert tuple(head) == COLUMNS
    assert row[6] == "It is 67.4 ± 0.5 km/s/Mpc."
    assert row[10] == "'=It is 73 ± 1 km/s/Mpc."
    assert row[-1] == "later: Both agree."


def test_pairs_that_are_too_far_apart_are_counted_and_the_reason_is_given() -> None:
    left_out = replace(TENSIONS, n_too_far=2)
    assert operation.write(left_out)["n_too_far"] == 2
    assert "2 further pairs" in describe_tensions(left_out)
