"""Answers to marked questions: which lines are gold, and the figures over all questions."""

import json
from dataclasses import replace

import pytest

from pathfinder.addons.evaluation import command
from pathfinder.addons.evaluation.answers import (
    evaluate_answers,
    evaluate_passage_answers,
    is_gold,
    length_score,
    score_by_rubric,
)
from pathfinder.addons.evaluation.judges import open_judge
from pathfinder.addons.evaluation.marked_files import (
    Item,
    MarkedQuestion,
    PassageQuestion,
    read_marked_questions,
    read_passage_questions,
    read_rubric,
)
from pathfinder.errors import CorpusError
from pathfinder.models.fake import ScriptedChat
from pathfinder.types import (
    Answer,
    CheckedSentence,
    Digest,
    DigestForm,
    Evidence,
    Finding,
    FullTextPassage,
    Ledger,
    Paper,
    SectionKind,
    Verdict,
)
from tests.answering.results import PAPERS as FOUND
from tests.answering.results import result
from tests.building.conftest import PULSARS

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
    return command.answers.write(report)


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
    record = command.answers.write(report)
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
    with pytest.raises(CorpusError, match=r"nowhere\.jsonl"):
        read_marked_questions(tmp_path / "nowhere.jsonl")


# Scores of answers by a weighted rubric.


SENTENCES = (
    CheckedSentence("Stars spin.", ("p", "q"), Verdict.SUPPORTED, (Evidence("p", "Stars spin.", 1.0),)),
    CheckedSentence("They age.", (), Verdict.NOT_FOUND, ()),
)
ANSWER = Answer("How?", "Stars spin [1, 2]. They age.", (), False, (), ledger=Ledger(SENTENCES, None, None, None))
ITEMS = (Item("names the spin", 0.4, ("stars spin slowly",)), Item("names the age", 0.2))


def score(*marks):
    with open_judge(ScriptedChat([f"<mark>{mark}</mark>" for mark in marks]), None) as judge:
        return score_by_rubric(ANSWER, ITEMS, judge)


def test_the_parts_add_up_with_their_weights():
    rubric_score = score(10, 5, 0, 6)
    items = 0.2 * 1.0 + 0.2 * 0.5 + 0.2 * 0.0  # the first item is divided equally between criterion and evidence
    general = (
        0.05 * 1 + 0.05 * 0.6 + 0.2 * (1 / 2) + 0.1 * (1 / 2)
    )  # one of two sentences has a citation, and one citation has a quotation
    assert rubric_score.total == pytest.approx(general + items)
    assert rubric_score.items == pytest.approx(items / 0.6)


def test_a_mark_that_is_missing_is_no_zero():
    assert score(10, 5, "eleven", 6) is None


@pytest.mark.parametrize(("n_words", "expected"), [(1, 1), (300, 1), (450, 0.5), (600, 0), (900, 0)])
def test_length_counts_in_full_up_to_300_words(n_words, expected):
    assert length_score("word " * n_words) == expected


def write(folder, *rows):
    path = folder / "rubric.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


GOOD = {
    "question": "How?",
    "items": [{"criterion": "a", "weight": 0.4, "evidence": ["x"]}, {"criterion": "b", "weight": 0.2}],
}


def test_a_rubric_is_read(tmp_path):
    assert read_rubric(write(tmp_path, GOOD)) == {"How?": (Item("a", 0.4, ("x",)), Item("b", 0.2))}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"question": "How?"}, r"line 1 is no rubric \(items: .*each line needs"),
        (
            {"question": "How?", "items": [{"criterion": "a"}]},
            r"line 1 is no rubric \(items.0.weight: .*each line needs",
        ),
        (
            {"question": "How?", "items": [{"criterion": "a", "weight": 1}]},
            "the weights sum to 1, and have to sum to 0.6",
        ),
    ],
)
def test_a_rubric_of_another_layout_is_refused(tmp_path, row, message):
    with pytest.raises(CorpusError, match=message):
        read_rubric(write(tmp_path, row))


# Figures of answers to questions that passages of full texts answer, worked out by hand.


TEXT = "The mirror was coated with silver in 1998, and its focal length is 12.5 metres, as the maker had promised."
PASSAGE = FullTextPassage(TEXT, "2. Mirror", SectionKind.METHOD, 4, 1, 0, 0, 0, len(TEXT), 0.8)


def evaluated(question, said=TEXT, *, is_weak=False, is_doubtful=False):
    found = result()
    found = replace(found, hits=(replace(found.hits[0], full_text=(PASSAGE,)), *found.hits[1:]))
    digest = Digest(DigestForm.FINDINGS, "", (), is_weak=is_weak, is_doubtful=is_doubtful)
    answer = Answer(question.question, said, (), False, (), (), digest=digest)
    report = evaluate_passage_answers([question], lambda _: found, lambda _: answer)
    return {name: figure.value for name, figure in report.figures().items()}


def test_a_passage_is_found_shown_and_quoted_by_six_tenths_of_its_words():
    question = PassageQuestion("What is the focal length?", FOUND[0].paper_id, TEXT, "12.5 m")
    assert evaluated(question) == {
        "paper_first": 1.0,
        "passage_first": 1.0,
        "passage_shown": 1.0,
        "quoted": 1.0,
        "numbers_quoted": 1.0,
        "refused": None,
        "refused_wrongly": 0.0,
        "doubted": None,
        "doubted_wrongly": 0.0,
    }
    few = evaluated(question, "The mirror was coated with silver in 1998.", is_weak=True)
    assert (few["quoted"], few["numbers_quoted"], few["refused_wrongly"]) == (0.0, 0.0, 1.0)
    elsewhere = evaluated(
        replace(question, passage="Nothing of this kind was ever seen by anybody, they say."), is_doubtful=True
    )
    assert elsewhere["doubted_wrongly"] == 1.0
    assert (elsewhere["passage_first"], elsewhere["passage_shown"]) == (0.0, 0.0)


@pytest.mark.parametrize("is_weak", [True, False])
def test_a_question_that_no_paper_answers_is_to_be_refused(is_weak):
    figures = evaluated(PassageQuestion("Who wrote Hamlet?", None), is_weak=is_weak)
    assert (figures.pop("refused"), figures.pop("doubted")) == (float(is_weak), 0.0)
    assert set(figures.values()) == {None}


def test_the_questions_of_a_folder_are_read(tmp_path):
    file = tmp_path / "questions.jsonl"
    rows = [{"question": "Q?", "paper": "a", "passage": "P", "answer": "A"}, {"question": "R?", "paper": None}]
    file.write_text("\n".join(map(json.dumps, rows)))
    assert read_passage_questions(tmp_path) == (PassageQuestion("Q?", "a", "P", "A"), PassageQuestion("R?", None))
    file.write_text('{"question": 3}')
    with pytest.raises(CorpusError, match=r"line 1 is no question \(question: .*each line needs"):
        read_passage_questions(tmp_path)


# The command that measures answers on marked questions.


@pytest.fixture
def file(tmp_path):
    sentence = PULSARS["abstract"]
    row = {"question": "How noisy is the timing of pulsars?", "paper": "pulsars", "type": "why_how"}
    path = tmp_path / "marked.jsonl"
    path.write_text(json.dumps({**row, "sentences": {"0": sentence}, "gold": [0]}) + "\n")
    return path


def test_the_figures_are_written_as_json(run, file, corpus):
    outcome = run("evaluate", "answers", file, "--corpus", corpus, "--json")
    record = json.loads(outcome.out)
    assert (outcome.status, record["n_questions"]) == (0, 1)
    assert record["finding_is_gold"] == {"value": 1, "low": 1, "high": 1}
    assert record["by_type"]["why_how"]["n_questions"] == 1


def test_the_figures_are_written_as_a_table(run, file, corpus):
    title, header, *rows = run("evaluate", "answers", file, "--corpus", corpus).out.splitlines()
    assert title == "1 marked questions"
    assert header.split() == ["all", "(n", "1)", "why_how", "(n", "1)"]
    assert [row.split()[0] for row in rows if "finding" in row] == ["finding_is_gold"]


def test_a_judge_needs_a_chat_model(run, file, corpus, monkeypatch):
    monkeypatch.delenv("PATHFINDER_CHAT_MODEL", raising=False)
    outcome = run("evaluate", "answers", file, "--corpus", corpus, "--judge")
    assert (outcome.status, outcome.out) == (2, "")
    assert "judging needs a chat model" in outcome.err
