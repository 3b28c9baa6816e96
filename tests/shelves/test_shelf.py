"""Shelves as values: changes, limits and the file."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.facade.shelves import read_file
from pathfinder.shelves.shelf import MAX_NOTE, Shelf, ShelfStore, State, merge, parse_shelf, shelf_text
from pathfinder.types import CorpusName, Paper
from tests.user_data.visits import MadeVisit

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
    assert (difference.paper_id, difference.ours.state, difference.theirs.state) == ("hubble", "out", "in")
    assert (difference.ours.why, difference.theirs.why) == ("too old", "a classic")
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


STARS = CorpusName("stars", "0" * 12, 3, "stars-1234abcd")


@pytest.fixture(params=["the owner", "a visitor"])
def store(request, tmp_path):
    return ShelfStore(tmp_path / "new" if request.param == "the owner" else MadeVisit(), STARS)


def test_a_shelf_is_read_by_another_store_and_not_for_another_corpus(store):
    shelf_before = store.change("h0", lambda shelf: shelf.add(["riess"]))
    assert ShelfStore(store.place, STARS).shelves() == (shelf_before,)
    assert ShelfStore(store.place, CorpusName("stars", "0" * 12, 3, "stars-5678abcd")).shelves() == ()


def test_shelves_from_before_corpora_had_ids_are_those_of_the_name_and_go_on_under_the_id(tmp_path):
    old = ShelfStore(tmp_path, CorpusName("stars", "0" * 12, 3))
    old.change("h0", lambda shelf: shelf.add(["riess"]))
    new = ShelfStore(tmp_path, STARS)
    both = new.change("h0", lambda shelf: shelf.add(["hubble"]))
    assert [paper.paper_id for paper in both.papers] == ["riess", "hubble"]
    assert (new.shelves(), len(old.shelf("h0").papers)) == ((both,), 1)
    assert new.undo("h0") == old.shelf("h0")


def test_every_change_is_taken_back_in_turn_down_to_the_first(store):
    versions = [
        store.change("h0", change)
        for change in (
            lambda shelf: shelf.add(["riess", "hubble"]),
            lambda shelf: shelf.set_note("riess", "ladder"),
            lambda shelf: shelf.set_tags("riess", ["key"]),
            lambda shelf: shelf.set_state("hubble", State.OUT, "too old"),
            lambda shelf: shelf.remove(["riess"]),
        )
    ]
    store.change("other", lambda shelf: shelf.add(["planck"]))
    assert [store.undo("h0") for _ in versions] == [*reversed(versions[:-1]), None]
    assert [shelf.name for shelf in store.shelves()] == ["other"]
    with pytest.raises(UsageError, match="no shelf 'h0'"):
        store.undo("h0")


def test_a_change_that_changes_nothing_needs_no_undo(store):
    assert not store.can_undo("h0")
    store.change("h0", lambda shelf: shelf.add(["riess"]))
    store.change("h0", lambda shelf: shelf.add(["riess"]))
    assert store.can_undo("h0")
    assert store.undo("h0") is None


def test_a_deleted_shelf_comes_back_by_undo_with_all_its_versions(store):
    before = store.change("h0", lambda shelf: shelf.add(["riess"]))
    store.delete("h0")
    assert store.shelves() == ()
    assert store.can_undo("h0")
    assert store.change("h0", lambda shelf: shelf.add(["hubble"])).paper_ids == ("hubble",)
    assert [store.undo("h0"), store.undo("h0"), store.undo("h0")] == [None, before, None]
    assert not store.can_undo("h0")
    with pytest.raises(UsageError, match="no shelf 'h0'"):
        store.delete("h0")


def test_a_renamed_shelf_keeps_its_versions_and_undo_gives_the_old_name_back(store):
    first = store.change("h0", lambda shelf: shelf.add(["riess"]))
    before = store.change("h0", lambda shelf: shelf.set_note("riess", "ladder"))
    assert store.rename("h0", "expansion") == store.shelf("expansion")
    assert store.change("h0", lambda shelf: shelf.add(["dust"])).name == "h0"
    with pytest.raises(UsageError, match="the name 'h0' is taken"):
        store.undo("expansion")
    store.rename("h0", "dust")
    assert [store.undo("expansion"), store.undo("h0")] == [before, first]
    with pytest.raises(UsageError, match="'dust'"):
        store.rename("h0", "dust")
    with pytest.raises(UsageError, match="write one line"):
        store.rename("h0", " ")
    assert [shelf.name for shelf in store.shelves()] == ["dust", "h0"]


def test_a_paper_that_a_readers_note_names_is_not_taken_for_the_paper_of_the_note(pf: Pathfinder, tmp_path: Path):
    noted, named = (pf.corpus.papers[int(row)] for row in pf.corpus.papers.rows_of(["planck-2018-vi", "riess-2022"]))
    path = tmp_path / "papers.ris"
    lines = ["TY  - JOUR", f"TI  - {noted.title}", f"AU  - {noted.authors[0]}", f"PY  - {noted.year}"]
    own = ["N1  - rank 1", "N1  - to read", f"N1  - compare {named.bibcode}", "ER  - "]
    path.write_text("\n".join((*lines, *own)), encoding="utf-8")
    (entry,) = read_file(pf, path, "h0").shelf.papers
    assert (entry.paper_id, entry.note) == ("planck-2018-vi", f"compare {named.bibcode}")


def test_a_record_with_a_pubmed_id_alone_is_recognised_by_it(tmp_path: Path):
    trial = Paper("10.1/trial", "A trial of bisoprolol", "", doi="10.1/trial", pmid="10023943")
    path = tmp_path / "papers.nbib"
    path.write_text("PMID- 10023943\nTI  - Bisoprolol, a trial\n", encoding="utf-8")
    corpus: Any = SimpleNamespace(corpus=SimpleNamespace(papers=[trial]))
    assert read_file(corpus, path, "trials").shelf.paper_ids == ("10.1/trial",)
