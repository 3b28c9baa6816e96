"""Answers to marked questions: which lines are gold, and the figures over all questions."""

import json
from dataclasses import replace

import pytest

from pathfinder.addons.evaluation.answers import evaluate_answers, is_gold
from pathfinder.addons.evaluation.judges import open_judge
from pathfinder.addons.evaluation.marked_files import MarkedQuestion, read_marked_questions
from pathfinder.errors import CorpusError
from pathfinder.models.fake import ScriptedChat
from pathfinder.types import Answer, Digest, DigestForm, Finding, Ledger, Paper

BACKGROUND, RESULT, OUTLOOK = "Stars spin.", "We find that old stars spin slowly.", "More will follow."
PAPER = Paper("p", "Spin", f"{BACKGROUND} {RESULT} {OUTLOOK}")
OTHER = Paper("q", "Dust", "Dust is cold.")
QUESTION = MarkedQuestion("Do old stars spin slowly?", "p", (RESULT,), "yes_no")
PAPERS = {"p": PAPER}


def line(sentence, paper=PAPER):
    start = paper.abstract.index(sentence)
    return Finding(paper.paper_id, sentence, start, start + len(sentence))


def digest(*lines):
    return Digest(DigestForm.SIDES, "", lines)


def quoting_answer(*lines):
    return Answer(QUESTION.question, "", (), not lines, (), digest=digest(*lines) if lines else None)


def figures(*answers, best=RESULT):
    replies = iter(answers)
    report = evaluate_answers(
        [QUESTION] * len(answers), lambda _: next(replies), lambda _, paper: digest(line(best, paper)), PAPERS
    )
    return report.record()


def values(record):
    return {name: figure["value"] for name, figure in record.items() if isinstance(figure, dict) and "value" in figure}


def test_a_line_is_gold_if_it_overlaps_a_gold_sentence_in_more_than_half_of_the_shorter():
    finding = Finding("p", "x" * 10, 0, 10)
    assert is_gold(finding, [(4, 40)])  # 6 of 10 characters
    assert not is_gold(finding, [(5, 40)])  # 5 of 10
    assert is_gold(finding, [(20, 30), (8, 9)])  # the whole of a gold sentence of one character


def test_a_digest_that_opens_with_the_gold_sentence_scores_everywhere():
    assert values(figures(quoting_answer(line(RESULT), line(OUTLOOK)))) == {
        **dict.fromkeys(["first_is_gold", "any_is_gold", "finding_is_gold", "paper_quoted", "form_accuracy"], 1),
        "gold_share": 0.5,
        "abstained": 0,
        "lines_shown": 2,
        **dict.fromkeys(["citation_precision", "citation_recall", "citation_f1"]),
    }


def test_only_the_first_four_lines_count_as_read():
    dust = line("Dust is cold.", OTHER)
    fourth, fifth = quoting_answer(dust, dust, dust, line(RESULT)), quoting_answer(dust, dust, dust, dust, line(RESULT))
    record = figures(fourth, fifth)
    assert record["any_is_gold"]["value"] == 0.5
    assert (record["first_is_gold"]["value"], record["gold_share"]["value"]) == (0, 1)


def test_the_choice_of_sentences_is_measured_apart_from_the_search():
    wrong_paper = quoting_answer(line("Dust is cold.", OTHER))
    assert figures(wrong_paper)["finding_is_gold"]["value"] == 1
    assert figures(wrong_paper, best=BACKGROUND)["finding_is_gold"]["value"] == 0
    assert figures(wrong_paper)["gold_share"] == {"value": None, "low": None, "high": None}


def test_an_abstention_quotes_nothing():
    record = figures(quoting_answer(), quoting_answer(line(RESULT)))
    assert (record["abstained"]["value"], record["lines_shown"]["value"]) == (0.5, 0.5)
    assert record["first_is_gold"]["value"] == 0.5


def test_a_written_answer_is_measured_by_its_citations_alone():
    ledger = Ledger((), precision=0.5, recall=1.0, f1=2 / 3)
    record = figures(Answer("q", "Slowly [1].", (), False, (), ledger=ledger))
    assert record["citation_precision"]["value"] == 0.5
    assert record["citation_f1"]["value"] == pytest.approx(2 / 3)
    assert record["first_is_gold"]["value"] is None


def test_each_type_has_its_own_figures():
    record = figures(quoting_answer(line(RESULT)), quoting_answer(line(OUTLOOK)))
    assert record["by_type"]["yes_no"]["n_questions"] == 2
    assert record["by_type"]["yes_no"]["first_is_gold"] == record["first_is_gold"]


def test_a_paper_that_is_not_in_the_corpus_is_a_note():
    report = evaluate_answers([QUESTION], lambda _: quoting_answer(), lambda *_: digest(), {})
    assert report.notes == ("1 of 1 marked papers are not in the corpus: their questions cannot be answered",)


def test_an_abstract_without_its_gold_sentence_is_a_note():
    report = evaluate_answers(
        [QUESTION], lambda _: quoting_answer(), lambda *_: digest(), {"p": Paper("p", "Spin", "New.")}
    )
    assert report.notes == ("1 of 1 abstracts lack a gold sentence: they differ from the marked versions",)


def test_a_judge_adds_three_grades_and_a_failure_is_no_grade():
    good = "<coverage>4</coverage>\n<relevance>5</relevance>\n<organisation>2</organisation>"
    other = replace(QUESTION, question="Do young stars spin fast?")
    with open_judge(ScriptedChat([good, "4, 5 and 2"]), None) as judge:
        report = evaluate_answers(
            [QUESTION, other],
            lambda _: quoting_answer(line(RESULT)),
            lambda *_: digest(line(RESULT)),
            PAPERS,
            judge=judge,
        )
    record = report.record()
    assert [record[name]["value"] for name in ("coverage", "relevance", "organisation")] == [4, 5, 2]
    assert record["by_type"]["yes_no"]["coverage"]["value"] == 4
    assert "1 judgements failed" in report.notes[0]


def test_without_a_judge_there_are_no_grades():
    assert "coverage" not in figures(quoting_answer(line(RESULT)))


ROW = {
    "question": QUESTION.question,
    "paper": "p",
    "sentences": {"0": BACKGROUND, "1": RESULT},
    "gold": [1],
    "type": "yes_no",
}


def test_marked_questions_are_read_and_those_without_an_answer_left_out(tmp_path):
    path = tmp_path / "marked.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in (ROW, {**ROW, "gold": [], "answered": False})))
    assert read_marked_questions(path) == (QUESTION,)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("[1]", "line 1: not a JSON object"),
        (json.dumps({**ROW, "type": "riddle"}), r"line 1 is no marked question \(type: .*each line needs"),
        (json.dumps({**ROW, "gold": []}), r"line 1 is no marked question \(gold: "),
        (json.dumps({**ROW, "gold": [7]}), 'line 1 marks sentence 7, which is not in "sentences": correct the line'),
        (json.dumps({**ROW, "answered": False}), "contains no marked question"),
    ],
)
def test_a_line_of_another_layout_is_refused_with_its_number(tmp_path, row, message):
    path = tmp_path / "marked.jsonl"
    path.write_text(row)
    with pytest.raises(CorpusError, match=message):
        read_marked_questions(path)


def test_a_missing_file_is_refused_by_name(tmp_path):
    with pytest.raises(CorpusError, match=r"nowhere\.jsonl cannot be read"):
        read_marked_questions(tmp_path / "nowhere.jsonl")
