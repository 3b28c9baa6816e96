"""The hypotheses of made-up papers, with the papers on both sides."""

import numpy as np
import pytest

from pathfinder.addons.hypotheses.concepts import HypothesisTopic
from pathfinder.addons.hypotheses.find import MAX_LISTED, stream_among
from pathfinder.addons.hypotheses.hypothesis import ClauseKind, Hypotheses
from pathfinder.addons.hypotheses.writing import (
    HYPOTHESIS_COLUMNS,
    hypotheses_csv,
    hypotheses_markdown,
    hypotheses_record,
)
from pathfinder.errors import UsageError
from pathfinder.llm.stopping import drain
from tests.addons.hypotheses.planted_concepts import OIL, PLATELETS, RAYNAUD, VISCOSITY, corpus


def find(topic: HypothesisTopic | None = None, n: int = 20, *, both_named: bool = False) -> Hypotheses:
    papers, index = corpus(both_named=both_named)
    return drain(stream_among(papers, index, None, topic, n))


def of_swanson(report: Hypotheses):
    return next(each for each in report.hypotheses if set(each.concepts) == {OIL, RAYNAUD})


def test_a_hypothesis_comes_with_papers_and_quotations_on_both_sides() -> None:
    report = find()
    assert (report.n_papers, report.n_concepts, report.n_unlinked, report.n_significant) == (72, 19, 2, 2)
    each = of_swanson(report)
    assert each.n_papers == (6, 6)
    assert {linking.name for linking in each.linking} == {VISCOSITY, PLATELETS}
    assert all(linking.n_with == (3, 3) for linking in each.linking)
    for linking in each.linking:
        for concept, side in zip(each.concepts, linking.papers, strict=True):
            assert side.quotation == f"We find that {concept} changes {linking.name} in patients."
            assert side.names_both


def test_the_statement_counts_cites_and_marks_its_conjecture() -> None:
    each = of_swanson(find())
    first, second = each.concepts
    none, link_clause, count_clause, conjecture = each.clauses
    assert none.text == (
        f"No paper here with the keyword “{first}” (6 papers) names “{second}” in its title or abstract, and none with "
        f"the keyword “{second}” (6 papers) names “{first}”."
    )
    assert (link_clause.kind, len(link_clause.paper_ids)) == (ClauseKind.CITED, 4)
    assert "(3 and 3 papers)" in link_clause.text
    assert count_clause.text.startswith("In all, 2 concepts occur with both")
    assert conjecture.kind is ClauseKind.CONJECTURE


def test_a_pair_that_a_text_names_together_is_left_out_though_no_keywords_have_both() -> None:
    report = find(both_named=True)
    assert {frozenset(each.concepts) for each in report.hypotheses} == {frozenset((VISCOSITY, PLATELETS))}


def test_a_topic_has_the_hypotheses_with_one_of_its_concepts_which_comes_first() -> None:
    papers, _ = corpus()
    on_raynaud = np.array([row for row, paper in enumerate(papers) if RAYNAUD in paper.keywords])
    report = find(HypothesisTopic("poor circulation", on_raynaud))
    assert report.about == "poor circulation"
    assert of_swanson(report).concepts == (RAYNAUD, OIL)


def test_a_topic_without_concepts_says_why_there_is_nothing() -> None:
    report = find(HypothesisTopic("1 paper", np.array([0])))
    assert report.hypotheses == ()
    assert "no concept that occurs in at least" in report.notes[0]


def test_a_small_corpus_says_why_it_has_none() -> None:
    papers, index = corpus()
    small = papers[:3]
    from pathfinder.index.terms import keyword_index_of

    report = drain(stream_among(small, keyword_index_of(small), None, None, 5))
    assert index.terms
    assert report.hypotheses == ()
    assert "a corpus needs some hundreds of papers" in report.notes[0]


def test_without_a_map_a_note_says_that_places_are_missing() -> None:
    report = find()
    assert report.notes == ("this corpus has no map, so the list does not say where the concepts lie",)
    assert report.hypotheses[0].places is None


@pytest.mark.parametrize("n", [0, MAX_LISTED + 1])
def test_a_number_that_cannot_be_listed_is_refused(n: int) -> None:
    with pytest.raises(UsageError, match=f"{n} hypotheses cannot be listed: ask for 1 to {MAX_LISTED}"):
        find(n=n)


def test_json_csv_and_markdown_have_both_sides() -> None:
    report = find()
    record = hypotheses_record(report)["hypotheses"][0]
    assert [concept["n_papers"] for concept in record["concepts"]] == [6, 6]
    assert [len(linking["papers"]) for linking in record["linking"]] == [2, 2]
    assert record["statement"][-1]["kind"] == "conjecture"
    head, *lines = hypotheses_csv(report).splitlines()
    assert head == ",".join(HYPOTHESIS_COLUMNS)
    assert len(lines) == len(report.hypotheses)
    assert "[conjecture]" in lines[0]
    assert hypotheses_markdown(report).count("in patients.”") == 8
