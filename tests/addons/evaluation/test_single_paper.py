import json
import math

import pytest

from pathfinder.addons.evaluation.single_paper import (
    MAX_FAILURES_IN_A_ROW,
    chat_question_writer,
    densest_sentence,
    extractive_question_writer,
    make_single_paper_set,
    rarity_in,
    without_opening,
)
from pathfinder.corpus.journal import Journal
from pathfinder.errors import MissingKey, RateLimited, UsageError
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.operations.evaluation.collections import read_collection
from pathfinder.types import Paper

DENSE = "We find that the Vela pulsar glitched at 2.35 microhertz before its moat of neon closed."
PLAIN = "We find that these are good and new results that we will use again later."


def paper(name, abstract, title="Pulsars"):
    return Paper(name, title, abstract)


PAPERS = [paper(f"p{n}", f"Pulsars turn. {PLAIN} {DENSE.replace('2.35', str(n))}") for n in range(6)]


def equally_rare(tokens):
    return [1.0 for _ in tokens]


def test_a_number_of_questions_below_one_is_refused():
    with pytest.raises(UsageError, match="at least 1, got 0"):
        make_single_paper_set(PAPERS, extractive_question_writer(PAPERS), n=0)


@pytest.mark.parametrize(
    "make",
    [
        extractive_question_writer,
        lambda papers, seed: make_single_paper_set(papers, extractive_question_writer(papers), 1, seed),
    ],
)
def test_a_negative_seed_is_refused(make):
    with pytest.raises(UsageError, match=r"0.*-1"):
        make(PAPERS, -1)


def test_more_questions_than_papers_is_refused_with_the_reasons():
    papers = [*PAPERS, paper("short", "Too short."), paper("none", "")]
    expected = (
        "6 of 8 papers make a question, not 7; 2 have no self-contained sentence of 8 to 45 words after the first one"
    )
    with pytest.raises(UsageError, match=expected):
        make_single_paper_set(papers, extractive_question_writer(papers), n=7)


def test_the_first_sentence_is_never_the_question():
    text, reason = densest_sentence(paper("p", DENSE), equally_rare)
    assert text is None
    assert "after the first" in reason


def test_a_sentence_that_points_back_is_no_question():
    abstract = "Pulsars turn. This glitch of 3 microhertz was seen by Parkes in 1969 near the Vela remnant."
    assert densest_sentence(paper("p", abstract), equally_rare)[0] is None


def test_numbers_and_words_beyond_the_title_make_a_sentence_dense():
    title = "The moat of neon around the pulsar Vela closed"
    abstract = (
        "Pulsars turn. The moat of neon around the pulsar Vela closed. Radio bursts reached Parkes 17 times a day."
    )
    assert (
        densest_sentence(paper("p", abstract, title), equally_rare)[0] == "Radio bursts reached Parkes 17 times a day."
    )


MOAT = "a moat of neon closes around every old pulsar."


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        (f"We find that {MOAT}", MOAT),
        (f"In this paper, we also show that {MOAT}", MOAT),
        (f"Our results suggest {MOAT}", MOAT),
        (f"Finally, {MOAT}", MOAT),
        (f"Weather shows that {MOAT}", f"Weather shows that {MOAT}"),
        ("We show that pulsars turn.", "We show that pulsars turn."),
    ],
)
def test_what_leads_up_to_a_statement_is_dropped(sentence, statement):
    assert without_opening(sentence) == statement


def test_a_word_is_as_rare_as_few_papers_have_it():
    papers = [paper("a", "neon", title="gas"), paper("b", "neon neon", title="dust")]
    neon, gas, xenon = rarity_in(papers)(["neon", "gas", "xenon"])
    assert (neon, gas, xenon) == pytest.approx((math.log(1 + 2 / 2), math.log(1 + 2 / 1), math.log(1 + 2 / 1)))


def test_each_question_is_answered_by_its_paper_and_the_seed_decides_which():
    question_set = make_single_paper_set(PAPERS, extractive_question_writer(PAPERS), n=3, seed=1)
    assert len(question_set.questions) == 3
    for name, text in question_set.questions.items():
        (answer,) = question_set.judgements[name]
        assert name == f"q-{answer}"
        assert text == DENSE.removeprefix("We find that ").replace("2.35", answer.removeprefix("p"))
    assert make_single_paper_set(PAPERS, extractive_question_writer(PAPERS), n=3, seed=1) == question_set
    assert set(make_single_paper_set(PAPERS, extractive_question_writer(PAPERS), n=3, seed=2).questions) != set(
        question_set.questions
    )


def test_a_question_is_asked_once_and_every_paper_that_says_it_is_right():
    same = f"Pulsars turn. {DENSE}"
    papers = [paper("a", same), paper("b", same), paper("c", f"Stars shine.  {DENSE} So do moons."), paper("d", PLAIN)]
    question_set = make_single_paper_set(papers, extractive_question_writer(papers), n=1)
    assert next(iter(question_set.judgements.values())).keys() == {"a", "b", "c"}
    assert question_set.about["questions that other papers answer word for word"] == 1
    with pytest.raises(
        UsageError, match=r"1 of 4 papers make a question, not 2; .*2 have a question already made from another paper"
    ):
        make_single_paper_set(papers, extractive_question_writer(papers), n=2)


def test_a_written_question_is_answered_by_all_papers_of_one_abstract(journal):
    papers = [paper("a", DENSE), paper("b", DENSE, "Erratum")]
    question_set = make_single_paper_set(
        papers, chat_question_writer(ScriptedChat(["<question>Which moat?</question>"]), journal), n=1
    )
    assert next(iter(question_set.judgements.values())).keys() == {"a", "b"}


def test_a_set_is_written_as_a_collection(tmp_path):
    question_set = make_single_paper_set(PAPERS, extractive_question_writer(PAPERS), n=4)
    question_set.write(tmp_path / "set")
    question_set.write(tmp_path / "set")
    (tmp_path / "papers.jsonl").write_text("{}\n")
    collection = read_collection(tmp_path / "set", tmp_path / "papers.jsonl")
    assert collection.questions == question_set.questions
    assert collection.judgements == question_set.judgements
    about = json.loads((tmp_path / "set" / "about.json").read_text())
    assert about == {"kind": "single-paper", "made": "extractive", "n": 4, "seed": 0, "papers": 6}


@pytest.mark.parametrize("name", ["qrels.tsv", "notes.txt"])
def test_a_folder_with_other_things_is_not_written_over(tmp_path, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(UsageError, match=name if name == "notes.txt" else "contains queries.jsonl"):
        make_single_paper_set(PAPERS, extractive_question_writer(PAPERS), n=1).write(tmp_path)
    assert (tmp_path / name).read_text() == "mine"


# Questions written by a chat model --------------------------------------------------------------------


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "replies") as replies:
        yield replies


def test_a_missing_key_is_told_at_once(journal):
    chat = ScriptedChat([Reply("", MissingKey("no key"))])
    with pytest.raises(MissingKey):
        make_single_paper_set(PAPERS, chat_question_writer(chat, journal), n=1)


def test_an_outage_is_told_after_five_failures(journal):
    chat = ScriptedChat([Reply("", RateLimited("429"))] * MAX_FAILURES_IN_A_ROW)
    with pytest.raises(RateLimited):
        make_single_paper_set(PAPERS, chat_question_writer(chat, journal), n=1)


def test_failures_are_counted_and_no_question_is_made_up(journal):
    replies = [Reply("<question>half", RateLimited("429")), "no idea", "<question>Which moat closed?</question>"]
    question_set = make_single_paper_set(PAPERS, chat_question_writer(ScriptedChat(replies), journal), n=1)
    assert list(question_set.questions.values()) == ["Which moat closed?"]
    assert question_set.about["passed over: a failed call to the chat model"] == 1
    assert question_set.about["passed over: a reply that is not exactly one question"] == 1


def test_a_question_in_json_is_as_good_as_one_in_tags(journal):
    replies = ['{"question": " "}', '{"question": "Which moat?", "why": "so"}', '{"question": "Which  moat closed?"}']
    question_set = make_single_paper_set(PAPERS, chat_question_writer(ScriptedChat(replies), journal), n=1)
    assert list(question_set.questions.values()) == ["Which moat closed?"]
    assert question_set.about["passed over: a reply that is not exactly one question"] == 2


def test_what_was_written_is_not_asked_again(journal):
    replies = ["<question>One?</question>", "<question>Two?</question>"]
    chat = ScriptedChat(replies)
    question_set = make_single_paper_set(PAPERS, chat_question_writer(chat, journal), n=2)
    assert (
        make_single_paper_set(PAPERS, chat_question_writer(ScriptedChat([]), journal), n=2).questions
        == question_set.questions
    )
    assert {temperature for temperature, _ in chat.settings} == {0.5}
    assert PAPERS[0].title in chat.received[0][1]
