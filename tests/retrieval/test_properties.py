"""Filters by the properties of papers."""

import numpy as np
import pyarrow as pa
import pytest

from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.facade import Pathfinder
from pathfinder.index.predicate import EVERY_PAPER, Predicate
from pathfinder.retrieval.filters import with_properties
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import Paper, Provenance, Refereed, SearchRequest

ARXIV, OPENALEX = Provenance("arxiv", "1"), Provenance("openalex", "W1")
PAPERS = (
    Paper("a", "One", "", authors=("Riess, A. G.", "Casertano, S."), categories=("astro-ph.CO",), venue="Nature"),
    Paper("b", "Two", "", authors=("Freedman, W.", "Riess, Adam"), journal="ApJ 934 (2022) L7", refereed=True),
    Paper("c", "Three", "", authors=("Rieß, B.",), categories=("astro-ph.GA", "hep-ph"), provenance=(ARXIV, OPENALEX)),
    Paper("d", "Four", "", journal="apj", refereed=False, provenance=(ARXIV,)),
)
TABLE = PaperTable(pa.Table.from_batches([batch_of(PAPERS)], schema=PAPER_SCHEMA))


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        (Predicate(authors=("Riess",)), "abc"),  # ß is ss
        (Predicate(authors=("Riess, A",)), "ab"),
        (Predicate(authors=("^Riess",)), "ac"),
        (Predicate(authors=("casertano", "Wendy Freedman")), "ab"),
        (Predicate(categories=("astro-ph",)), "ac"),
        (Predicate(categories=("Astro-ph.ga",)), "c"),
        (Predicate(venues=("ApJ",)), "bd"),  # a journal without its volume
        (Predicate(venues=("nature", "apj")), "abd"),
        (Predicate(sources=("openalex",)), "c"),
        (Predicate(sources=("arxiv",)), "cd"),
        (Predicate(refereed=True), "b"),
        (Predicate(refereed=False), "d"),
    ],
)
def test_papers_pass_by_their_properties(predicate, expected):
    mask = predicate.mask(len(TABLE), TABLE)
    assert mask is not None
    assert "".join(paper.paper_id for paper, passes in zip(PAPERS, mask, strict=True) if passes) == expected


def test_a_selection_of_papers_is_filtered_by_its_own_properties():
    assert TABLE.take(np.array([3, 0])).in_venues(("apj",)).tolist() == [True, False]


def read(request: SearchRequest, table: PaperTable = TABLE) -> tuple[Predicate, dict[str, str], tuple[str, ...]]:
    log = StageLog()
    predicate = with_properties(request, EVERY_PAPER, table, log)
    return predicate, {stage.name: stage.ran for stage in log.stages}, log.notes


def test_every_filter_is_a_stage_that_counts_its_papers():
    predicate, stages, notes = read(SearchRequest("x", authors=("Riess, A",), venues=("ApJ",)))
    assert predicate == Predicate(authors=("Riess, A",), venues=("ApJ",))
    assert stages == {"authors": "Riess, A: 2 of 4 papers", "venues": "ApJ: 2 of 4 papers"}
    assert notes == ("authors unknown for 1 paper, left out here",)


def test_a_search_without_filters_records_none():
    assert read(SearchRequest("x")) == (EVERY_PAPER, {}, ())


def test_a_name_that_the_corpus_lacks_is_answered_with_the_names_that_it_has():
    _, _, notes = read(SearchRequest("x", venues=("Natur",)))
    assert notes == ("no paper in this corpus has Natur among its venues: try Nature",)


def test_a_corpus_without_a_property_says_so():
    bare = PaperTable(pa.Table.from_batches([batch_of((Paper("x", "X", ""),))], schema=PAPER_SCHEMA))
    _, _, notes = read(SearchRequest("x", refereed=Refereed.YES, sources=("arxiv",)), bare)
    assert [note.partition(",")[0] for note in notes] == [
        "no paper in this corpus records its source",
        "no paper in this corpus says whether it is refereed",
    ]


def test_filters_that_exclude_each_other_are_said():
    _, _, notes = read(SearchRequest("x", authors=("Casertano",), venues=("ApJ",)))
    assert "no paper that passes the filter for venues also passes the others: widen the others" in notes


def test_a_filtered_search_fills_its_hits_from_the_papers_that_pass(pf: Pathfinder):
    result = pf.search("stars", venues=("Nature",), top_k=30)
    papers = [paper for paper in pf.corpus.papers if paper.journal == "Nature"]
    assert {hit.paper.paper_id for hit in result.hits} == {paper.paper_id for paper in papers}
    assert len(result.hits) == len(papers) == 3  # Mayor 1995, Gillon 2017, Hewish 1968
