"""Blind judging: order, votes, sheets and the store."""

import csv
import datetime
import io
import json
from dataclasses import replace

import pytest

from pathfinder.addons.judging.results import krippendorff_alpha, sheet_csv, study_result, votes_csv, votes_of_sheet
from pathfinder.addons.judging.study import (
    BlindPair,
    BlindStudy,
    Criterion,
    Exhibit,
    PairKind,
    Pick,
    StudyStore,
    Vote,
    answer_exhibit,
    ranking_exhibit,
    read_pairs,
    read_questions,
    vote_of,
)
from pathfinder.errors import UsageError
from pathfinder.types import Answer, CorpusName, Digest, DigestForm, Finding, Insertion, Paper
from tests.cli.conftest import only_line

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
    with pytest.raises(UsageError, match="'newest'"):
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
    with pytest.raises(UsageError, match=r"1.*'left'"):
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
    with pytest.raises(UsageError, match="'spring'"):
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
    with pytest.raises(UsageError, match=r"pairs\.jsonl:1 .*first"):
        read_pairs(file)


def test_questions_are_read_without_headings(tmp_path):
    file = tmp_path / "questions.txt"
    file.write_text("# stars\n\nWhat is a star?\n")
    assert read_questions(file) == ("What is a star?",)


# Win rates and agreement.


PUBLISHED = (
    (1, 1, None, 1), (2, 2, 3, 2), (3, 3, 3, 3), (3, 3, 3, 3), (2, 2, 2, 2), (1, 2, 3, 4),
    (4, 4, 4, 4), (1, 1, 2, 1), (2, 2, 2, 2), (None, 5, 5, 5), (None, None, 1, 1), (None, 3, None, None),
)  # fmt: skip
"""Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C: twelve units, four readers."""
BINARY = zip((0, 1, 0, 0, 0, 0, 0, 0, 1, 0), (1, 1, 1, 0, 0, 1, 0, 0, 0, 0), strict=True)
"""Section A of it: ten units, two readers."""


def test_alpha_is_that_of_the_published_examples():
    units = [[value - 1 for value in unit if value is not None] for unit in PUBLISHED]
    assert krippendorff_alpha(units) == pytest.approx(0.815, abs=5e-4)
    assert krippendorff_alpha(list(BINARY)) == pytest.approx(0.095, abs=5e-4)


def test_alpha_is_1_where_all_agree_and_unknown_where_nobody_could_differ():
    assert krippendorff_alpha([[0, 0], [2, 2]]) == 1.0
    assert krippendorff_alpha([[0], [2]]) is None
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None
    assert krippendorff_alpha([]) is None


def votes(**picks):
    """Votes by reader: a letter for each pair, f for first, s for second, = for the same."""
    of = {"f": Pick.FIRST, "s": Pick.SECOND, "=": Pick.SAME}
    return [
        Vote(reader, pair, DAY, False, tuple((each, of[letter]) for each in Criterion))
        for reader, letters in picks.items()
        for pair, letter in enumerate(letters)
    ]


def test_pairs_are_won_by_the_side_that_more_readers_pick():
    result = study_result(STUDY, votes(ann="sssf=", bob="ss=s=", cyd="s"))
    overall = result.criteria[-1]
    assert (result.n_votes, result.n_readers, result.n_judged, result.n_pairs) == (11, 3, 5, 40)
    assert (overall.won_by_first, overall.won_by_second, overall.ties) == (0, 3, 2)
    assert overall.votes == {"first": 1, "same": 3, "second": 7}
    assert overall.win_rate == 1.0


def test_the_interval_of_a_win_rate_is_wilsons():
    overall = study_result(STUDY, votes(ann="s" * 8 + "f" * 2)).criteria[-1]
    assert overall.win_rate == 0.8
    assert (overall.interval.low, overall.interval.high) == pytest.approx((0.490, 0.943), abs=1e-3)
    assert overall.p == pytest.approx(112 / 1024)  # 2 x (1 + 10 + 45) / 2^10
    assert overall.alpha is None


def test_without_votes_nothing_is_claimed():
    overall = study_result(STUDY, []).criteria[-1]
    assert (overall.win_rate, overall.interval, overall.p, overall.alpha) == (None, None, None, None)


# `pathfinder judge`: studies made, judged by sheets, counted and deleted.


@pytest.fixture
def questions(tmp_path, monkeypatch):
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))
    file = tmp_path / "questions.txt"
    file.write_text("Which stars are magnetic?\nWhat is dark matter?\n")
    return file


def test_two_settings_are_compared_by_a_sheet(run, golden_corpus, questions, tmp_path):
    make = ("judge", "make", golden_corpus, "s", "--questions", questions, "--first", "bm25", "--second", "dense")
    assert json.loads(run(*make, "--json").out) == {"name": "s", "material": "rankings", "n_pairs": 2}
    only_line(run(*make), 2)
    rows = list(csv.DictReader(io.StringIO(run("judge", "sheet", golden_corpus, "s", "--reader", "ann").out)))
    sheet = tmp_path / "sheet.csv"
    marks = {"coverage": "same", "relevance": "same", "usefulness": "same", "overall": "A"}
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(row | marks for row in rows)
    stored = run("judge", "votes", golden_corpus, "s", sheet, "--reader", "ann", "--json").out
    assert json.loads(stored) == {"reader": "ann", "n_votes": 2}
    result = json.loads(run("judge", "results", golden_corpus, "s", "--json").out)
    overall = result["criteria"][-1]
    assert (result["n_votes"], overall["won_by_first"] + overall["won_by_second"]) == (2, 2)
    assert "overall: bm25" in run("judge", "results", golden_corpus, "s").out
    votes = list(csv.DictReader(io.StringIO(run("judge", "export", golden_corpus, "s").out)))
    assert [row["overall"] for row in votes] == [row["A"] for row in votes]
    listed = run("judge", "list", golden_corpus, "--json").out
    assert json.loads(listed) == {"studies": [{"name": "s", "n_pairs": 2, "n_votes": 2}]}
    deleted = run("judge", "delete", golden_corpus, "s", "--json").out
    assert json.loads(deleted) == {"name": "s", "n_votes": 2}
    assert json.loads(run("judge", "list", golden_corpus, "--json").out) == {"studies": []}


def test_answers_of_two_settings_are_kept_without_their_badges(run, golden_corpus, questions):
    run(
        "judge", "make", golden_corpus, "a", "--answers", "--questions", questions, "--first", "bm25", "--second",
        "default",
    )  # fmt: skip
    sheet = run("judge", "sheet", golden_corpus, "a", "--reader", "ann").out
    assert sheet.startswith("pair,question,A,B,organisation,coverage,relevance,usefulness,overall")
    assert "bm25" not in sheet


def test_pairs_made_elsewhere_become_a_study(run, golden_corpus, questions, tmp_path):
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"question": "?", "first": {"text": "yes"}, "second": {"text": "yes"}}\n')
    outcome = run("judge", "add", golden_corpus, "mine", file, "--first", "x", "--second", "y", "--json")
    assert json.loads(outcome.out) == {"name": "mine", "material": "answers", "n_pairs": 1}
    assert "both sides are the same in 1 pairs" in outcome.err
