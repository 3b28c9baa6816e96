"""Decisions of a screening, their counts, and the file that keeps them."""

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pathfinder.addons.screening.command import ShownScreening, status
from pathfinder.addons.screening.decisions import (
    Screening,
    ScreeningVerdict,
    create_session,
    decision_rows,
    decisions_csv,
    read_session,
    with_decisions,
    write_session,
)
from pathfinder.errors import UsageError
from pathfinder.shelves.shelf import Shelf, State
from pathfinder.types import Paper

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
IDS = tuple(f"p{row}" for row in range(20))
PAPERS = {name: Paper(name, f"Title of {name}", "") for name in IDS}


@pytest.fixture
def screening():
    """Two papers in, two out for one reason, one put off; 20 of the 50 papers of a corpus are in the pool."""
    begun = Screening("dust", IDS, n_identified=50, n_merged=3)
    for name, verdict in (("p0", ScreeningVerdict.IN), ("p1", ScreeningVerdict.LATER), ("p2", ScreeningVerdict.IN)):
        begun = begun.decide(name, verdict, NOON)
    return begun.decide("p3", ScreeningVerdict.OUT, NOON, "no data").decide("p4", ScreeningVerdict.OUT, NOON, "no data")


def test_a_later_decision_on_a_paper_replaces_the_earlier_one_and_keeps_its_place(screening):
    changed = screening.decide("p0", ScreeningVerdict.OUT, NOON)
    assert screening.relevant() == (True, True, False, False)
    assert changed.relevant() == (False, True, False, False)
    assert len(changed.decisions) == 6
    assert changed.undo() == screening


def test_a_paper_that_was_put_off_takes_its_place_when_it_is_decided(screening):
    assert screening.decide("p1", ScreeningVerdict.IN, NOON).relevant() == (True, True, False, False, True)


def test_every_paper_is_counted_once(screening):
    counts = screening.prisma
    assert (counts.identified, counts.duplicates, counts.not_in_pool) == (20, None, 30)
    whole = replace(screening, n_identified=20).prisma
    assert (whole.identified, whole.duplicates, whole.not_in_pool) == (23, 3, 0)
    assert (counts.screened, counts.included, counts.excluded, counts.undecided) == (4, 2, 2, 1)
    assert counts.excluded_by_reason == {"no data": 2}
    assert counts.not_screened == 20 - 5


def test_each_fourth_paper_is_drawn_at_random_and_marked():
    begun = Screening("dust", IDS, 20, control_every=4)
    for name in IDS[:3]:
        assert begun.control_paper() is None
        begun = begun.decide(name, ScreeningVerdict.OUT, NOON)
    sample = begun.control_paper()
    assert sample is not None
    assert begun.decide(sample, ScreeningVerdict.IN, NOON).decisions[-1].is_control
    assert not begun.decisions[-1].is_control
    changed = begun.decide(sample, ScreeningVerdict.IN, NOON).decide(sample, ScreeningVerdict.OUT, NOON)
    assert changed.decisions[-1].is_control  # it was drawn, whatever is decided on it later


def test_the_control_sample_is_what_was_drawn_first_whoever_put_it_forward():
    begun = Screening("dust", IDS, 20, control_every=1)
    first = begun.control_paper()
    second = begun.decide(first, ScreeningVerdict.OUT, NOON).control_paper()
    third = begun.decide(first, ScreeningVerdict.OUT, NOON).decide(second, ScreeningVerdict.OUT, NOON).control_paper()
    skipped = begun.decide(first, ScreeningVerdict.IN, NOON).decide(third, ScreeningVerdict.IN, NOON)
    assert (skipped.control.n, skipped.control.n_in) == (1, 1)  # the second is open
    filled = skipped.decide(second, ScreeningVerdict.OUT, NOON)
    assert (filled.control.n, filled.control.n_in) == (3, 2)


def test_a_screening_survives_its_file(screening, tmp_path):
    path = tmp_path / "dust.json"
    create_session(path, tmp_path, screening)
    assert read_session(path) == (tmp_path, screening)
    write_session(path, tmp_path, screening.undo())
    assert read_session(path)[1] == screening.undo()
    with pytest.raises(UsageError, match="exists: name a new file"):
        create_session(path, tmp_path, screening)


@pytest.mark.parametrize("text", ["", "{}", '{"format": "another", "corpus": ".", "screening": null}'])
def test_a_file_that_is_no_screening_is_refused(text, tmp_path):
    path = tmp_path / "s.json"
    path.write_text(text)
    with pytest.raises(UsageError, match="name a file that the Screen page or `pathfinder screen start` made"):
        read_session(path)


def test_every_decision_is_exported_with_its_time_and_reason(screening):
    changed = screening.decide("p3", ScreeningVerdict.IN, NOON, "=data after all")
    rows = list(csv.DictReader(io.StringIO(decisions_csv(decision_rows(changed, PAPERS)))))
    assert [row["id"] for row in rows] == ["p0", "p1", "p2", "p3", "p4", "p3"]
    assert [row["in_force"] for row in rows] == ["yes", "yes", "yes", "no", "yes", "yes"]
    assert rows[4]["reason"] == "no data"
    assert rows[5]["reason"] == "'=data after all"  # no formula for a spreadsheet
    assert rows[5]["time"] == "2026-05-04T12:00:00+00:00"


def test_the_status_says_what_is_known_of_recall(screening):
    record = status.write(ShownScreening(screening))
    assert (record["n"], record["read"], record["unread"]) == (20, 4, 16)
    assert 0 < record["estimate"]["recall_at_least"] <= record["estimate"]["recall"] <= 1
    assert not record["estimate"]["may_stop"]
    assert decision_rows(screening, PAPERS)[3].reason == "no data"


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"paper_ids": ("a",)}, "at least 2 papers"),
        ({"paper_ids": ("a", "a")}, "an id occurs twice"),
        ({"seed": -1}, "0 or more"),
    ],
)
def test_a_screening_that_makes_no_sense_is_refused(fields, fault):
    with pytest.raises(UsageError, match=fault):
        Screening(**{"question": "dust", "paper_ids": ("a", "b"), "n_identified": 2, **fields})


def test_only_papers_of_the_pool_can_be_decided(screening):
    with pytest.raises(UsageError, match=r"p99.*20"):
        screening.decide("p99", ScreeningVerdict.IN, NOON)
    with pytest.raises(UsageError, match="nothing to undo"):
        Screening("dust", IDS, 20).undo()


def test_later_leaves_a_paper_that_is_in_or_out_of_a_shelf_as_it_is(screening):
    shelf = Shelf("mine").add(["p1", "p5"]).set_state("p1", State.IN, "key").set_state("p5", State.OUT, "too old")
    put_off = screening.decide("p5", ScreeningVerdict.LATER, NOON, "no time")
    after = with_decisions(shelf, put_off)
    assert [after.paper(name) for name in ("p1", "p5")] == [shelf.paper(name) for name in ("p1", "p5")]


def test_a_decision_without_a_reason_keeps_that_of_the_same_state(screening):
    shelf = Shelf("mine").add(["p0", "p2"]).set_state("p0", State.IN, "key").set_state("p2", State.OUT, "too old")
    after = with_decisions(shelf, screening)
    assert [(after.paper(name).state, after.paper(name).why) for name in ("p0", "p2")] == [
        (State.IN, "key"),
        (State.IN, ""),
    ]


def test_a_paper_that_is_put_off_becomes_to_read_on_a_shelf_unless_it_has_been_read(screening):
    put_off = screening.decide("p5", ScreeningVerdict.LATER, NOON)
    shelf = with_decisions(Shelf("mine").add(["p1"]).set_state("p1", State.READ, "basis of the thesis"), put_off)
    assert (shelf.paper("p1").state, shelf.paper("p1").why) == (State.READ, "basis of the thesis")
    assert shelf.paper("p5").state is State.TO_READ
    assert (shelf.paper("p3").state, shelf.paper("p3").why) == (State.OUT, "no data")
