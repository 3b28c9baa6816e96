"""Blind judging: order, votes, sheets and the store."""

import csv
import datetime
import io
import json
from dataclasses import replace

import pytest

from pathfinder.addons.judging.results import sheet_csv, votes_csv, votes_of_sheet
from pathfinder.addons.judging.study import (
    BlindPair,
    BlindStudy,
    Criterion,
    Exhibit,
    PairKind,
    Pick,
    StudyStore,
    answer_exhibit,
    ranking_exhibit,
    read_pairs,
    read_questions,
    vote_of,
)
from pathfinder.errors import UsageError
from pathfinder.types import Answer, CorpusName, Digest, DigestForm, Finding, Insertion, Paper

STARS = CorpusName("stars", "0123456789ab", 3)
DAY = datetime.date(2026, 11, 23)
PAIRS = tuple(
    BlindPair(f"question {n}?", Exhibit(f"made by one {n}", ("a paper",)), Exhibit(f"made by two {n}"))
    for n in range(40)
)
STUDY = BlindStudy("spring", "stars", PairKind.ANSWERS, "oldest", "newest", 7, PAIRS)
LEFT = dict.fromkeys(Criterion, Pick.FIRST)


def test_each_reader_sees_about_half_of_the_pairs_the_other_way_round_and_always_the_same():
    orders = {reader: [STUDY.is_swapped(reader, pair) for pair in range(40)] for reader in ("ann", "bob")}
    assert all(10 <= sum(order) <= 30 for order in orders.values())
    assert orders["ann"] != orders["bob"]
    assert orders["ann"] == [STUDY.is_swapped("ann", pair) for pair in range(40)]
    assert orders["ann"] != [replace(STUDY, seed=8).is_swapped("ann", pair) for pair in range(40)]


def test_a_vote_names_the_side_that_was_on_the_left_whichever_it_was():
    votes = [vote_of(STUDY, "ann", pair, LEFT, DAY) for pair in range(40)]
    for pair, vote in enumerate(votes):
        left, _ = STUDY.on_screen("ann", pair)
        assert set(dict(vote.picks).values()) == {Pick.FIRST if left == PAIRS[pair].first else Pick.SECOND}
        assert vote.is_swapped == (left == PAIRS[pair].second)
    same = vote_of(STUDY, "ann", 0, dict.fromkeys(Criterion, Pick.SAME), DAY)
    assert {pick for _, pick in same.picks} == {Pick.SAME}


def test_a_vote_needs_every_criterion_a_reader_and_a_pair_of_the_study():
    with pytest.raises(UsageError, match="pair 1 has no judgement for overall"):
        vote_of(STUDY, "ann", 0, {each: Pick.SAME for each in Criterion if each is not Criterion.OVERALL}, DAY)
    with pytest.raises(UsageError, match="name of a reader must have 1 to 60"):
        vote_of(STUDY, " ", 0, LEFT, DAY)
    with pytest.raises(UsageError, match="has pairs 1 to 40, got 41"):
        vote_of(STUDY, "ann", 40, LEFT, DAY)


def test_a_list_of_papers_is_not_judged_by_its_organisation():
    assert Criterion.ORGANISATION not in replace(STUDY, material=PairKind.RANKINGS).criteria


def test_a_study_is_made_of_pairs_with_two_makers():
    with pytest.raises(UsageError, match="at least one pair"):
        replace(STUDY, pairs=())
    with pytest.raises(UsageError, match="both sides are called 'newest'"):
        replace(STUDY, first="newest")


def fill_sheet(reader, mark):
    """The sheet of a reader who writes `mark` everywhere but in the last row."""
    rows = list(csv.DictReader(io.StringIO(sheet_csv(STUDY, reader))))
    for row in rows[:-1]:
        row.update(dict.fromkeys(STUDY.criteria, mark))
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def test_a_sheet_is_filled_in_elsewhere_and_comes_back_as_the_votes_of_the_page():
    votes = votes_of_sheet(STUDY, "ann", fill_sheet("ann", "a"), DAY)
    assert votes == tuple(vote_of(STUDY, "ann", pair, LEFT, DAY) for pair in range(39))
    with pytest.raises(UsageError, match="row 1 has the mark 'left': write A, B or same"):
        votes_of_sheet(STUDY, "ann", fill_sheet("ann", "left"), DAY)
    with pytest.raises(UsageError, match="the sheet lacks the columns coverage"):
        votes_of_sheet(STUDY, "ann", "pair,organisation,overall,relevance,usefulness\n1,A,A,A,A\n", DAY)


def test_a_sheet_tells_neither_the_names_nor_the_key():
    sheet = sheet_csv(STUDY, "ann")
    assert "oldest" not in sheet
    assert "newest" not in sheet
    assert {row["A"].startswith("made by one") for row in csv.DictReader(io.StringIO(sheet))} == {True, False}


def test_the_table_of_votes_has_names_and_key():
    vote = vote_of(STUDY, "ann", 3, LEFT, DAY)
    (row,) = csv.DictReader(io.StringIO(votes_csv(STUDY, [vote])))
    assert (row["reader"], row["pair"], row["A"]) == ("ann", "4", row["overall"])
    assert row["A"] == ("newest" if STUDY.is_swapped("ann", 3) else "oldest")


def test_a_store_keeps_the_last_vote_of_a_reader_on_a_pair_apart_for_each_corpus(tmp_path):
    store = StudyStore(tmp_path, STARS)
    store.add(STUDY)
    vote = vote_of(STUDY, "ann", 0, LEFT, DAY)
    store.add_vote("spring", replace(vote, picks=()))
    store.add_vote("spring", vote)
    again = StudyStore(tmp_path, STARS)
    assert (again.names(), again.study("spring"), again.votes("spring")) == (("spring",), STUDY, (vote,))
    assert StudyStore(tmp_path, replace(STARS, name="dust")).names() == ()
    assert (again.remove_vote("spring", "ann", 0), again.remove_vote("spring", "ann", 0)) == (True, False)


def test_a_study_is_deleted_with_its_votes(tmp_path):
    store = StudyStore(tmp_path, STARS)
    store.add(STUDY)
    with pytest.raises(UsageError, match="stars already has a study 'spring'"):
        store.add(STUDY)
    store.add_vote("spring", vote_of(STUDY, "ann", 0, LEFT, DAY))
    assert store.delete("spring") == 1
    with pytest.raises(UsageError, match="stars has no study 'spring': choose from none yet"):
        store.study("spring")


def test_an_exhibit_of_an_answer_shows_citations_in_their_order_and_nothing_else():
    papers = [
        Paper(name, f"On {name}", "", authors=("Ann, A.", "Bob, B."), year=2020) for name in ("dust", "gas", "ice")
    ]
    answer = Answer("?", "Ice is cold [3]. Dust glows [1][3]. [k3q7z?]", (), False, (), sources=tuple(papers))
    assert answer_exhibit(answer) == Exhibit(
        "Ice is cold [1]. Dust glows [2][1]. [k3q7z?]", ("On ice (Ann et al., 2020)", "On dust (Ann et al., 2020)")
    )


def test_an_exhibit_lists_the_papers_that_share_a_mark():
    papers = tuple(
        Paper(name, name.capitalize(), "", authors=("Ann, A.",), year=2020) for name in ("gas", "ice", "dust")
    )
    answer = Answer("?", "73 [1] or 67 [3, 1]. Dust is cold [2, k3q7z?].", (), False, (), sources=papers)
    exhibit = answer_exhibit(answer)
    assert exhibit.text == "73 [1] or 67 [2, 1]. Dust is cold [3, k3q7z?]."
    assert exhibit.papers == ("Gas (Ann, 2020)", "Dust (Ann, 2020)", "Ice (Ann, 2020)")


def test_the_citations_of_a_quoted_paper_are_not_those_of_the_exhibit():
    papers = tuple(Paper(name, name.capitalize(), "", authors=("Ann, A.",), year=2020) for name in ("gas", "ice"))
    sentence = "We follow Hubble [1, 9]."
    finding = Finding("ice", sentence, 0, len(sentence), inserted=(Insertion(2, " Ann"),))
    digest = Digest(DigestForm.SIDES, "yes or no", (finding,))
    answer = Answer("?", "“We [Ann] follow Hubble [1, 9].” [2]", (), False, (), sources=papers, digest=digest)
    exhibit = answer_exhibit(answer)
    assert exhibit == Exhibit("“We [Ann] follow Hubble [1, 9].” [1]", ("Ice (Ann, 2020)",))


def test_an_exhibit_of_a_ranking_lists_its_papers_without_scores(pf):
    result = pf.search("masers in orbit", top_k=3)
    exhibit = ranking_exhibit(result)
    assert [line.rpartition(" (")[0] for line in exhibit.papers] == [hit.paper.title for hit in result.hits]


def test_pairs_made_elsewhere_are_read_line_by_line(tmp_path):
    file = tmp_path / "pairs.jsonl"
    pair = {"question": "?", "first": {"text": "yes"}, "second": {"text": "", "papers": ["On dust"]}}
    file.write_text(f"{json.dumps(pair)}\n\n")
    assert read_pairs(file) == (BlindPair("?", Exhibit("yes"), Exhibit("", ("On dust",))),)
    file.write_text('{"question": "?"}\n')
    with pytest.raises(UsageError, match=r"pairs.jsonl:1 is not a pair \(first: Field required\): write"):
        read_pairs(file)


def test_questions_are_read_without_headings(tmp_path):
    file = tmp_path / "questions.txt"
    file.write_text("# stars\n\nWhat is a star?\n")
    assert read_questions(file) == ("What is a star?",)
