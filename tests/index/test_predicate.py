from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.index.predicate import EVERY_PAPER, Predicate
from pathfinder.types import Paper

PAPERS = (
    Paper("a", "One", "Text.", year=1998, categories=("astro-ph.CO",), journal="ApJ"),
    Paper("b", "Two", "", year=2005, categories=("astro-ph.GA", "hep-ph")),
    Paper("c", "Three", "Text.", journal="MNRAS"),
    Paper("d", "Four", "Text.", year=2020, categories=("hep-ph",), journal="ApJ"),
)


@pytest.fixture
def table() -> PaperTable:
    return PaperTable(pa.Table.from_batches([batch_of(PAPERS)], schema=PAPER_SCHEMA))


def meet(predicate: Predicate, table: PaperTable) -> str:
    mask = predicate.mask(len(table), table)
    assert mask is not None
    return "".join(paper.paper_id for paper, meets in zip(table, mask, strict=True) if meets)


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        (Predicate(year_from=2005), "bd"),
        (Predicate(year_to=2005), "ab"),
        (Predicate(year_from=1999, year_to=2019), "b"),
        (Predicate(categories=("hep-ph", "astro-ph.CO")), "abd"),
        (Predicate(venues=("apj",)), "ad"),
        (Predicate(has_abstract=True), "acd"),
        (Predicate(has_abstract=False), "b"),
        (Predicate(ids=frozenset("ac")), "ac"),
        (Predicate(excluded_ids=frozenset("ac")), "bd"),
        (Predicate(year_from=2000, categories=("hep-ph",), ids=frozenset("ad"), venues=("ApJ",)), "d"),
        (Predicate(ids=frozenset()), ""),
        (Predicate(ids=frozenset("bx")), "b"),
    ],
)
def test_a_paper_must_meet_every_condition(predicate, expected, table):
    assert meet(predicate, table) == expected


def test_conditions_on_ids_add_up(table):
    predicate = EVERY_PAPER.within("dba").within("cdb").without("b")
    assert meet(predicate, table) == "d"
    assert meet(predicate.without("d"), table) == ""


def test_rows_that_were_taken_are_filtered_by_their_own_properties(table):
    assert meet(Predicate(has_abstract=False), table.take(np.array([1, 0]))) == "b"


@pytest.mark.parametrize("predicate", [Predicate(year_from=2000), Predicate(ids=frozenset("a"))])
def test_an_index_without_columns_cannot_be_filtered(predicate):
    assert EVERY_PAPER.is_open
    assert EVERY_PAPER.mask(2, None) is None
    with pytest.raises(ValueError, match="open it with them to filter it"):
        predicate.mask(2, None)


def test_a_predicate_is_plain_data_that_says_the_same_however_it_came_about():
    predicate = EVERY_PAPER.within(["a", "b", "b"]).without(["b"])
    assert predicate == Predicate(ids=frozenset("ab"), excluded_ids=frozenset("b"))
    assert hash(predicate) == hash(replace(predicate))
