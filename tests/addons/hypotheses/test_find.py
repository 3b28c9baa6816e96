"""The hypotheses of made-up papers, with the papers on both sides."""

import json
import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import hypergeom

from pathfinder.addons.hypotheses.concepts import HypothesisTopic, choose_concepts
from pathfinder.addons.hypotheses.find import MAX_LISTED, associations_of, rank_pairs, stream_among, unlinked_pairs
from pathfinder.addons.hypotheses.hypothesis import (
    HYPOTHESIS_COLUMNS,
    PRODUCT,
    BacktestShare,
    BacktestYear,
    ClauseKind,
    Hypotheses,
    Hypothesis,
    HypothesisBacktest,
    backtest,
    backtest_rows,
    clause_text,
    hypotheses_csv,
    hypotheses_markdown,
    share_of,
)
from pathfinder.addons.hypotheses.operation import hypotheses
from pathfinder.addons.hypotheses.statement import write_statement
from pathfinder.errors import UsageError
from pathfinder.index.terms import keyword_index_of
from pathfinder.llm.stopping import drain
from pathfinder.models.fake import ScriptedChat
from pathfinder.types import Paper, Verdict
from tests.addons.hypotheses.planted_concepts import N_OTHERS, OIL, PLATELETS, RAYNAUD, VISCOSITY, corpus
from tests.landscape.planted import table


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


def test_notes_say_why_there_is_nothing_on_a_topic_and_that_without_a_map_places_are_missing() -> None:
    nothing = find(HypothesisTopic("1 paper", np.array([0])))
    assert nothing.hypotheses == ()
    assert "no concept that occurs in at least" in nothing.notes[0]
    report = find()
    assert report.notes == ("this corpus has no map, so the list does not say where the concepts lie",)
    assert report.hypotheses[0].places is None


def test_a_small_corpus_says_why_it_has_none() -> None:
    small = corpus()[0][:3]
    report = drain(stream_among(small, keyword_index_of(small), None, None, 5))
    assert report.hypotheses == ()
    assert "a corpus needs some hundreds of papers" in report.notes[0]


@pytest.mark.parametrize("n", [0, MAX_LISTED + 1])
def test_a_number_that_cannot_be_listed_is_refused(n: int) -> None:
    with pytest.raises(UsageError, match=rf"{n}.*1.*{MAX_LISTED}"):
        find(n=n)


def test_json_csv_and_markdown_have_both_sides() -> None:
    report = find()
    record = hypotheses.write(report)["hypotheses"][0]
    assert [concept["n_papers"] for concept in record["concepts"]] == [6, 6]
    assert [len(linking["papers"]) for linking in record["linking"]] == [2, 2]
    assert record["statement"][-1]["kind"] == "conjecture"
    head, *lines = hypotheses_csv(report).splitlines()
    assert head == ",".join(HYPOTHESIS_COLUMNS)
    assert len(lines) == len(report.hypotheses)
    assert "[conjecture]" in lines[0]
    assert hypotheses_markdown(report).count("in patients.”") == 8


# Concepts, their associations, and the pairs that are never keywords of the same paper.


N_PAPERS = 12 + N_OTHERS


@pytest.fixture(scope="module")
def planted_concepts():
    papers, index = corpus()
    concepts = choose_concepts(index, papers)
    return concepts, associations_of(concepts, len(papers))


def test_concepts_are_terms_of_several_words_in_four_papers_or_more(planted_concepts) -> None:
    concepts, _ = planted_concepts
    assert set(concepts.names[:4]) == {OIL, RAYNAUD, VISCOSITY, PLATELETS}
    assert concepts.n_papers[:4].tolist() == [6, 6, 6, 6]
    assert concepts.n_papers[4:].tolist() == [4] * 15


def test_a_part_of_longer_keywords_is_no_concept_and_neither_is_a_frequent_term() -> None:
    long = [Paper(f"l{n}", "T", "", keywords=("massive binary star",)) for n in range(4)]
    frequent = [Paper(f"f{n}", "T", "", keywords=("deep survey",)) for n in range(20)]
    papers = [*long, *frequent, *(Paper(f"p{n}", "T", "") for n in range(40))]
    concepts = choose_concepts(keyword_index_of(papers), table(papers))
    assert concepts.names == ("massive binary star",)  # "deep survey": 20 of 64 papers


def test_only_the_selected_papers_are_known() -> None:
    papers, index = corpus()
    is_in = np.arange(len(papers)) >= 12
    assert not {OIL, RAYNAUD} & set(choose_concepts(index, papers, is_in).names)


def test_concepts_that_occur_together_more_than_by_chance_are_associated(planted_concepts) -> None:
    concepts, associations = planted_concepts
    oil, raynaud, viscosity = map(concepts.names.index, (OIL, RAYNAUD, VISCOSITY))
    assert associations.is_associated[oil, viscosity]
    assert associations.is_associated[viscosity, oil]
    assert not associations.is_associated[oil, raynaud]
    assert associations.degrees[oil] == 2
    assert not associations.is_associated[4:].any()


def test_a_pair_shares_concepts_and_has_the_q_of_the_exact_test(planted_concepts) -> None:
    concepts, associations = planted_concepts
    pairs = unlinked_pairs(associations)
    by_names = {
        frozenset((concepts.names[first], concepts.names[second])): place
        for place, (first, second) in enumerate(zip(pairs.first, pairs.second, strict=True))
    }
    # The two linking concepts share both sides, too, and no paper has them together.
    assert set(by_names) == {frozenset((OIL, RAYNAUD)), frozenset((VISCOSITY, PLATELETS))}
    place = by_names[frozenset((OIL, RAYNAUD))]
    assert pairs.n_shared[place] == 2
    p = hypergeom.sf(1, len(concepts), 2, 2)
    assert pairs.q[place] == pytest.approx(p)  # both pairs have the same p
    # Both shared concepts are associated with two others, and both of the pair have six papers.
    assert pairs.scores[place] == pytest.approx(2 / math.log(2) * math.log(6 * 6), rel=1e-5)


def test_concepts_that_share_a_word_are_no_pair() -> None:
    papers = [
        Paper(f"{name}-{link}-{n}", "T", "", keywords=(f"{name} oil", link))
        for name in ("fish", "olive")
        for link in (VISCOSITY, PLATELETS)
        for n in range(3)
    ] + [Paper(f"p{n}", "T", "") for n in range(N_OTHERS)]
    concepts = choose_concepts(keyword_index_of(papers), table(papers))
    pairs = unlinked_pairs(associations_of(concepts, len(papers)))
    assert {concepts.names[place] for place in (*pairs.first, *pairs.second)} == {VISCOSITY, PLATELETS}


def test_a_concept_occurs_in_a_limited_number_of_pairs(planted_concepts) -> None:
    pairs = unlinked_pairs(planted_concepts[1])
    assert sorted(rank_pairs(pairs, pairs.scores, 3)) == [0, 1]
    assert list(rank_pairs(pairs, pairs.scores, 0)) == []


# Statements by a chat model: what it cites is checked, and the rest is marked as a conjecture.


SOURCE = re.compile(r'<source key="(\w+)">(.*?)</source>', re.DOTALL)
REPORT = f"{OIL.capitalize()} changes {VISCOSITY} in patients."
INVENTION = "Comets are made of ice and dust."
GUESS = "It may help patients with cold hands."


def hypothesis() -> Hypothesis:
    return next(each for each in find(n=5).hypotheses if OIL in each.concepts)


def reply_with(clauses: Callable[[str], list[dict[str, object]]]) -> ScriptedChat:
    """A model that writes `clauses`, given the key of the paper on fish oil and blood viscosity."""

    def reply(prompt: str) -> str:
        key = next(key for key, text in SOURCE.findall(prompt) if f"{OIL} changes {VISCOSITY}" in text)
        return json.dumps({"clauses": clauses(key)})

    return ScriptedChat(reply)


def test_a_clause_is_cited_and_judged_or_marked_as_a_conjecture() -> None:
    chat = reply_with(
        lambda key: [
            {"text": REPORT, "keys": [key]},
            {"text": INVENTION, "keys": [key]},
            {"text": GUESS, "keys": []},
            {"text": GUESS, "keys": ["a2b3c"]},
        ]
    )
    hypothesis_in_words = write_statement(hypothesis(), chat, None)
    assert hypothesis_in_words.model == "fake:scripted"
    report, invention, guess, unknown_key = hypothesis_in_words.clauses
    assert (report.kind, report.verdict) == (ClauseKind.CITED, Verdict.SUPPORTED)
    assert report.paper_ids[0].startswith("fish-blood-")
    assert (invention.kind, invention.verdict) == (ClauseKind.CITED, Verdict.NOT_FOUND)
    assert not invention.is_borne_out
    # A key that the model was not shown cites nothing.
    assert (guess.kind, unknown_key.kind) == (ClauseKind.CONJECTURE, ClauseKind.CONJECTURE)
    assert [clause_text(clause) for clause in hypothesis_in_words.clauses] == [
        REPORT,
        f"{INVENTION} [not in the cited papers]",
        f"{GUESS} [conjecture]",
        f"{GUESS} [conjecture]",
    ]


def test_if_the_model_fails_the_statement_stays_and_a_note_says_why() -> None:
    before = hypothesis()
    for reply in ("no JSON", '{"clauses": []}'):
        after = write_statement(before, ScriptedChat(lambda _, reply=reply: reply), None)
        assert (after.clauses, after.model) == (before.clauses, None)
        assert after.notes[0].startswith("the chat model wrote no statement: ")


# The backtest that ships with Pathfinder, as it is shown.


SHARES = (BacktestShare(PRODUCT, 100, 21, 0.1, 0.3), BacktestShare("most frequent pairs", 100, 9, 0.02, 0.2))
BACKTEST = HypothesisBacktest("1,000 titles", 10, (BacktestYear(1990, 500, 4000, 0.0123, SHARES),))


def test_every_ranking_has_a_row_and_random_pairs_have_theirs() -> None:
    assert backtest_rows(BACKTEST) == [
        {"titles until": 1990, "ranking": PRODUCT, "first 100": "21% (10%–30%)"},
        {"titles until": 1990, "ranking": "most frequent pairs", "first 100": "9% (2%–20%)"},
        {"titles until": 1990, "ranking": "random pairs", "first 100": "1.2%"},
    ]


def test_what_ships_has_intervals_around_its_shares() -> None:
    own_backtest = backtest()
    assert [year.year for year in own_backtest.years] == [1995, 2000, 2005]
    for year in own_backtest.years:
        own = share_of(year, PRODUCT, 100)
        assert own.low <= own.n_true / own.n <= own.high
