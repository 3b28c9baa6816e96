"""What a paper cites and who cites it in its corpus."""

from collections import Counter
from math import sqrt

import pytest

from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder


def test_a_paper_comes_with_its_references_its_citations_and_its_relatives(linked: Pathfinder) -> None:
    papers = linked.corpus.papers
    ids = papers.paper_ids()
    citations = linked.citations_of(ids[1])
    assert [paper.paper_id for paper in citations.references] == [ids[0]]
    assert [paper.paper_id for paper in citations.cited_by] == [ids[2], ids[3]]
    # 2 and 3 cite both 1 and 0; 1 is cited twice, 0 three times.
    ((co_cited, n_shared, similarity),) = [(r.paper.paper_id, r.n_shared, r.similarity) for r in citations.co_cited]
    assert (co_cited, n_shared, similarity) == (ids[0], 2, pytest.approx(2 / sqrt(2 * 3)))
    # 2 and 3 cite 0, as 1 does, which cites nothing else; they cite two papers each.
    assert [(r.paper.paper_id, r.n_shared, r.similarity) for r in citations.coupled_papers] == [
        (ids[2], 1, pytest.approx(1 / sqrt(2))),
        (ids[3], 1, pytest.approx(1 / sqrt(2))),
    ]


def test_works_outside_the_corpus_are_listed_and_couple_papers(linked: Pathfinder) -> None:
    ids = linked.corpus.papers.paper_ids()
    citations = linked.citations_of(ids[6])
    assert (citations.references, citations.outside) == ((), ("doi:10.1/elsewhere",))
    assert [related.paper.paper_id for related in citations.coupled_papers] == [ids[5]]


def test_citations_are_counted_as_of_any_year(linked: Pathfinder) -> None:
    citations = linked.citations_of(linked.corpus.papers.paper_ids()[0])
    years = linked.corpus.papers.years()[[1, 2, 3]].astype(int).tolist()
    assert citations.citations_by_year == Counter(years)
    assert citations.n_cited_by() == 3
    assert citations.n_cited_by(min(years) - 1) == 0
    assert citations.n_cited_by(min(years)) == years.count(min(years))
    assert citations.n_cited_by(max(years)) == 3


def test_an_unknown_paper_and_a_corpus_without_a_network_are_refused_with_the_way_out(
    linked: Pathfinder, pf: Pathfinder
) -> None:
    with pytest.raises(UsageError, match="'nobody'"):
        linked.citations_of("nobody")
    with pytest.raises(UsageError, match="no citation network: none of its papers lists references: build from"):
        pf.citations_of(pf.corpus.papers.paper_ids()[0])
