"""Shelves as values: changes, limits and the file."""

import pytest

from pathfinder.errors import UsageError
from pathfinder.shelves.shelf import MAX_NOTE, Shelf, State, merge, parse_shelf, shelf_text

SHELF = Shelf("expansion").add(["hubble", "riess", "planck"])


def test_papers_stand_in_the_order_in_which_they_were_added_and_once():
    assert SHELF.add(["planck", "leavitt", "hubble", "leavitt"]).paper_ids == ("hubble", "riess", "planck", "leavitt")


def test_a_paper_that_is_added_again_keeps_its_note():
    assert SHELF.set_note("riess", "read twice").add(["riess"]).paper("riess").note == "read twice"


def test_tags_are_sorted_and_each_is_there_once():
    assert SHELF.set_tags("riess", ["tension", "distance", "tension"]).paper("riess").tags == ("distance", "tension")


@pytest.mark.parametrize(
    "change",
    [
        lambda: SHELF.remove(["leavitt"]),
        lambda: SHELF.set_state("leavitt", State.IN),
        lambda: SHELF.set_note("riess", "a" * (MAX_NOTE + 1)),
        lambda: SHELF.set_tags("riess", ["two\nlines"]),
        lambda: Shelf(" "),
    ],
)
def test_a_change_that_cannot_be_is_refused_with_the_way_out(change):
    with pytest.raises(UsageError, match=r": (add|the limit is|write) "):
        change()


def test_the_file_of_a_shelf_holds_all_of_it():
    full = SHELF.set_note("riess", "«h» = 0.73\n\n- see fig. 3").set_state("hubble", State.OUT, "too old")
    assert parse_shelf(shelf_text(full.set_tags("planck", ["cmb"])), "s.json") == full.set_tags("planck", ["cmb"])


@pytest.mark.parametrize("text", ["", "[]", "{}", shelf_text(SHELF).replace("shelf 1", "shelf 9"), "[" * 100_000])
def test_other_files_are_refused_by_name(text):
    with pytest.raises(UsageError, match=r"s\.json .* name a file that"):
        parse_shelf(text, "s.json")


def test_a_file_with_a_paper_twice_is_refused():
    twice = shelf_text(SHELF).replace("hubble", "riess")
    with pytest.raises(UsageError, match="twice"):
        parse_shelf(twice, "s.json")


def test_merging_keeps_our_states_and_shows_both_where_they_differ():
    ours = SHELF.set_state("hubble", State.OUT, "too old").set_state("riess", State.IN).set_note("riess", "ladder")
    theirs = Shelf("H0").add(["riess", "hubble", "leavitt"]).set_state("hubble", State.IN, "a classic")
    theirs = theirs.set_state("riess", State.IN).set_note("riess", "see table 2").set_tags("riess", ["key"])
    merger = merge(ours, theirs)
    assert merger.shelf.paper_ids == ("hubble", "riess", "planck", "leavitt")
    assert merger.n_shared == 2
    (difference,) = merger.differences
    assert (difference.paper_id, difference.ours, difference.theirs) == ("hubble", "out", "in")
    assert (difference.our_reason, difference.their_reason) == ("too old", "a classic")
    assert merger.shelf.paper("hubble").state == State.OUT
    assert merger.shelf.paper("riess").note == "ladder\n\nsee table 2"
    assert merger.shelf.paper("riess").tags == ("key",)


def test_the_reasons_of_both_for_the_same_state_are_joined():
    ours = SHELF.set_state("riess", State.OUT, "old").set_state("hubble", State.OUT, "old; small")
    theirs = SHELF.set_state("riess", State.OUT, "too few stars").set_state("hubble", State.OUT, "small; faint")
    merger = merge(ours, theirs)
    assert merger.differences == ()
    assert [merger.shelf.paper(name).why for name in ("riess", "hubble")] == ["old; too few stars", "old; small; faint"]
    assert merge(merger.shelf, theirs).shelf == merger.shelf


def test_a_note_that_is_part_of_a_word_of_ours_is_kept_too():
    theirs = Shelf("H0").add(["riess"]).set_note("riess", "ladder")
    assert merge(SHELF.set_note("riess", "two ladders"), theirs).shelf.paper("riess").note == "two ladders\n\nladder"


def test_a_note_whose_spaces_or_lines_a_format_changed_is_no_new_note():
    ours = SHELF.set_note("riess", "ladder,\nsee table 2 \n\n- h = 0.73")
    for note in ("ladder, see table 2", "ladder, see table 2 - h = 0.73", "- h  = 0.73\n"):
        assert merge(ours, Shelf("H0").add(["riess"]).set_note("riess", note)).shelf == ours
    assert merge(SHELF, ours).shelf.paper("riess").note == ours.paper("riess").note


def test_merging_the_same_file_twice_changes_nothing_more():
    theirs = Shelf("H0").add(["riess", "leavitt"]).set_note("riess", "see table 2")
    once = merge(SHELF.set_note("riess", "ladder"), theirs).shelf
    assert merge(once, theirs).shelf == once


def test_kappa_is_that_of_a_worked_example():
    """Cohen's kappa of two readers who agree on 35 of 50 papers, 0.70 observed and 0.50 by chance: 0.40."""
    ids = [f"p{n}" for n in range(50)]
    decided = [("in", "in")] * 20 + [("in", "out")] * 5 + [("out", "in")] * 10 + [("out", "out")] * 15
    ours = theirs = Shelf("s").add(ids)
    for paper_id, (our, their) in zip(ids, decided, strict=True):
        ours, theirs = ours.set_state(paper_id, State(our)), theirs.set_state(paper_id, State(their))
    assert merge(ours, theirs).kappa == pytest.approx(0.40)


def test_kappa_is_not_defined_where_all_have_one_state():
    assert merge(SHELF, SHELF).kappa is None
    assert merge(SHELF, Shelf("none")).kappa is None
