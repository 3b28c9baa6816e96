"""Papers linked to the first hits by citations join the pool; what the network cannot do is said."""

from math import log

import pytest

from pathfinder.facade import Pathfinder
from pathfinder.retrieval.citations.widening import LINKED_SHARE, N_FIRST
from pathfinder.types import SearchResult, StageOutcome, Weighting
from tests.linked import REFERENCES

QUESTION = "supernovae and the expansion of the universe"


def stage(result: SearchResult, name: str) -> tuple[str, StageOutcome]:
    (ran,) = [entry.ran for entry in result.stages if entry.name == name]
    (status,) = [entry.status for entry in result.stage_status if entry.name == name]
    return ran, status


def fused_scores(result: SearchResult) -> dict[int, float]:
    return dict(zip(result.candidates.rows.tolist(), result.candidates.fused.tolist(), strict=True))


@pytest.mark.parametrize(
    ("switch", "links"),
    [
        ("cited_by_hits", REFERENCES),
        (
            "citing_hits",
            {row: [citing for citing, references in REFERENCES.items() if row in references] for row in range(33)},
        ),
    ],
)
def test_a_linked_paper_keeps_a_share_of_the_score_of_the_hit_it_is_linked_to(
    linked: Pathfinder, switch, links
) -> None:
    before = fused_scores(linked.search(QUESTION, reranker="off"))
    result = linked.search(QUESTION, reranker="off", **{switch: True})
    first = sorted(before, key=lambda row: -before[row])[:N_FIRST]
    expected = dict(before)
    for row in first:
        for other in links.get(row, ()):
            expected[other] = max(expected.get(other, 0.0), LINKED_SHARE * before[row])
    assert fused_scores(result) == pytest.approx(expected)
    assert expected != before
    n = len({other for row in first for other in links.get(row, ())})
    words = "cite" if switch == "cited_by_hits" else "are cited by"
    assert stage(result, "network") == (
        f"the first {N_FIRST} hits {words} {n} papers that pass the filters, 0 of them new",
        StageOutcome.RAN,
    )


def test_papers_outside_the_filter_are_not_added(linked: Pathfinder) -> None:
    years = linked.corpus.papers.years()
    first = int(years[0]) + 1
    result = linked.search(QUESTION, year_from=first, cited_by_hits=True, citing_hits=True)
    assert all(years[row] >= first for row in result.candidates.rows)
    assert " and are cited by " in stage(result, "network")[0]


def test_widening_is_off_by_default(linked: Pathfinder) -> None:
    assert "network" not in {entry.name for entry in linked.search(QUESTION).stages}


def test_a_corpus_without_a_network_says_why_it_cannot_widen(pf: Pathfinder) -> None:
    result = pf.search(QUESTION, citing_hits=True)
    ran, status = stage(result, "network")
    assert ran.startswith("not run: none of its papers lists references: build from")
    assert status is StageOutcome.FAILED
    assert fused_scores(result) == fused_scores(pf.search(QUESTION))


def test_citations_in_the_corpus_add_the_share_of_the_most_cited_to_the_score(linked: Pathfinder) -> None:
    result = linked.search(QUESTION, top_k=30, weighting=Weighting(extra=(("cited", 1.0),)))
    terms = {hit.row: log(0.05 + (hit.score.weight("cited") or 0.0)) for hit in result.hits}
    # Of the 33 papers, row 0 is cited three times, and row 1 twice, and four others once.
    expected = {0: 1.0, 1: 2 / 3} | dict.fromkeys((2, 3, 4, 20), 1 / 3)
    # The largest share, 1, has the largest weight, 1.
    assert terms == {row: pytest.approx(expected.get(row, 0.0) + log(1.05) - 1.0) for row in terms}
    assert stage(result, "weighting")[0] == "balanced: cited 1"


def test_the_weight_says_that_a_corpus_has_no_network_also_when_a_slider_is_moved(pf: Pathfinder) -> None:
    on = Weighting(extra=(("cited", 1.0),))
    for result in (pf.search(QUESTION, weighting=on), pf.reweigh(pf.search(QUESTION), on)):
        ran, status = stage(result, "weighting")
        assert ran == (
            "balanced: no weights; not used: citations in the corpus: this corpus has no citation network; "
            "`pathfinder info` says why"
        )
        assert status is StageOutcome.SUBSTITUTED
