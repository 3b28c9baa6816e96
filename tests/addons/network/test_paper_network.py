"""The network of a search: its hits, their neighbours and the links among them."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.retrieval.citations import ties
from pathfinder.retrieval.citations.ties import N_STRONGEST, links_among, neighbours
from pathfinder.types import SearchResult, Tie


@pytest.fixture(scope="module")
def result(linked: Pathfinder) -> SearchResult:
    return linked.search("What is the value of the Hubble constant?", top_k=3)


def hits_at(result: SearchResult, *rows: int) -> SearchResult:
    """The result with papers in these rows as its hits."""
    return replace(result, hits=tuple(replace(result.hits[0], row=row) for row in rows))


def test_references_link_a_paper_with_what_it_cites_and_with_what_cites_it(linked: Pathfinder) -> None:
    # 1 cites 0; 2 and 3 cite both.
    rows = np.array([0, 1, 2, 3])
    links = links_among(Tie.REFERENCES, rows, linked.corpus)
    assert {(link.first, link.second) for link in links} == {(1, 0), (2, 0), (2, 1), (3, 0), (3, 1)}
    # Of 2, which cites 0 and 1 and is cited by 4.
    assert sorted(neighbours(Tie.REFERENCES, np.array([2]), linked.corpus, 9).tolist()) == [0, 1, 4]


def test_papers_cited_together_and_papers_with_the_same_references_are_linked_by_salton_s_cosine(
    linked: Pathfinder,
) -> None:
    (together,) = links_among(Tie.CO_CITATION, np.array([0, 1]), linked.corpus)
    assert together.strength == pytest.approx(2 / sqrt(3 * 2))  # by 2 and 3; 0 is cited three times, 1 twice
    (coupled,) = links_among(Tie.COUPLING, np.array([2, 3]), linked.corpus)
    assert coupled.strength == pytest.approx(2 / sqrt(2 * 2))  # 0 and 1, and they cite nothing else


def test_by_likeness_each_paper_is_linked_with_the_most_similar_ones(pf: Pathfinder) -> None:
    rows = np.arange(12)
    links = links_among(Tie.LIKENESS, rows, pf.corpus)
    vectors = pf.corpus.dense.vectors(rows)
    similarities = vectors[0] @ vectors.T
    nearest = set(np.argsort(-similarities)[1 : 1 + N_STRONGEST].tolist())
    of_first = {link.second for link in links if link.first == 0}
    assert nearest <= of_first
    assert [link.strength for link in links if (link.first, link.second) == (0, min(nearest))] == [
        pytest.approx(float(similarities[min(nearest)]), abs=1e-6)
    ]


def test_hits_come_first_and_their_neighbours_fill_the_network(linked: Pathfinder, result: SearchResult) -> None:
    network = linked.network(hits_at(result, 2, 0), n_papers=4)
    assert network.tie is Tie.REFERENCES
    assert [(paper.row, paper.rank) for paper in network.papers[:2]] == [(2, 1), (0, 2)]
    # 1 is tied to both hits; 3 (to the second) comes before 4 (to the first) in the corpus.
    assert [paper.row for paper in network.papers[2:]] == [1, 3]
    assert [paper.rank for paper in network.papers[2:]] == [None, None]
    assert all(-1 <= value <= 1 for paper in network.papers for value in (paper.x, paper.y))


def test_the_same_network_is_drawn_in_the_same_places(linked: Pathfinder, result: SearchResult) -> None:
    assert linked.network(result, Tie.LIKENESS, 20) == linked.network(result, Tie.LIKENESS, 20)


def test_neighbours_pass_the_filters_of_the_search(linked: Pathfinder, result: SearchResult) -> None:
    years = linked.corpus.papers.years()
    until = int(years[2])
    request = replace(result.request, year_to=until)
    network = linked.network(replace(hits_at(result, 2), request=request), n_papers=10)
    rows = {0, 1, 4}
    assert {paper.row for paper in network.papers} == {2} | {row for row in rows if years[row] <= until}


def test_a_paper_on_every_path_between_two_others_has_all_the_betweenness(
    linked: Pathfinder, result: SearchResult
) -> None:
    # 5 cites 4, and 4 cites 2: one path between 2 and 5, through 4.
    network = linked.network(hits_at(result, 4, 5, 2), n_papers=3)
    assert [(paper.row, paper.betweenness) for paper in network.papers] == [(4, 1.0), (5, 0.0), (2, 0.0)]
    assert [paper.row for paper in network.between] == [4]


def test_without_citations_papers_are_linked_by_likeness_and_the_network_says_so(pf: Pathfinder) -> None:
    result = pf.search("What is the value of the Hubble constant?", top_k=3)
    network = pf.network(result)
    assert (network.tie, network.main_path) == (Tie.LIKENESS, ())
    (note,) = network.notes
    assert note.startswith("papers are linked by likeness, and there is no main path: ")
    with pytest.raises(UsageError, match="this corpus has no citation network"):
        pf.network(result, Tie.COUPLING)


def test_by_likeness_a_network_has_as_many_papers_as_are_wanted(
    pf: Pathfinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ties, "N_SIMILAR", 1)
    result = pf.search("dark energy", top_k=2)
    assert len(pf.network(result, n_papers=20).papers) == 20
    assert len(pf.network(result, n_papers=500).papers) == len(pf.corpus.papers)


@pytest.mark.parametrize("n_papers", [1, 501])
def test_a_network_of_another_size_is_refused(linked: Pathfinder, result: SearchResult, n_papers: int) -> None:
    with pytest.raises(UsageError, match=rf"{n_papers}.*2.*500"):
        linked.network(result, n_papers=n_papers)
