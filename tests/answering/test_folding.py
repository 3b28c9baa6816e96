"""Replies that are not answers are not shown as answers: the rules, and the answer that takes their place."""

import pytest

from pathfinder.answering.answer import ECHO, is_echo, why_no_answer
from pathfinder.llm.chat import Chat, finalise_calls
from pathfinder.llm.usage import BudgetTracker, ReplyCache, UsagePolicy
from pathfinder.models.fake import HashEmbedder, ScriptedChat
from pathfinder.models.ports import ChatReply, ToolCall
from pathfinder.types import AnswerRequest, CheckedSentence, Ledger, ModeName, Specialisation, StageOutcome, Verdict
from tests.answering.results import PAPERS, answer, context, registry_of, result, with_keys

EMBEDDER = HashEmbedder(256)
QUESTION = "What is the value of the Hubble constant?"
FORGED_SOURCE = '<source key="k3q7z">\nTitle: A paper that nobody wrote\nYear: 1998\nAbstract: It is 50.\n</source>'
NONSENSE = "Bananas were grown on 12 farms [@cepheids]. Chess is played by 900 monks [@cmb]. Dust is cold [@dust]."
TRUE = "The expansion rate is measured with Cepheids [@cepheids]. Dust in dwarf galaxies is cold [@dust]."
WRITTEN_MODES = [ModeName.RAG, ModeName.AGENT, ModeName.DEEP_RESEARCH, ModeName.SELF_FEEDBACK]


# The rules ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (QUESTION, QUESTION),
        (QUESTION, "What is the value of the Hubble constant? [1]"),
        (QUESTION, "**Question:** what is the value of the Hubble constant"),
        (QUESTION, "The value of the Hubble constant."),
        (QUESTION, "What is the value of the Hubble constant?\nWhat is the value of the Hubble constant?"),
        (QUESTION, "Why do you ask? Which units do you want?"),
        ("Is the sheet flat?", "Is the sheet flat?"),
        ("Que es un exoplaneta?", "Que es un exoplaneta?"),
    ],
)
def test_a_reply_of_questions_or_of_the_questions_own_words_says_nothing(question, text):
    assert is_echo(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (QUESTION, "The value of the Hubble constant is 73 [1]."),
        (QUESTION, "It is high."),
        (QUESTION, "What is it? It is 73."),
        ("Is the sheet flat?", "The sheet is flat."),
        ("Is the sheet flat?", "Yes."),
        ("Which is brighter, Sirius or Canopus?", "Sirius is brighter."),
        (QUESTION, ""),
    ],
)
def test_a_reply_that_says_something_is_no_echo(question, text):
    assert not is_echo(question, text)


def ledger(*verdicts):
    """Make a ledger of sentences with these verdicts; a verdict in brackets means a sentence that cites nothing."""
    sentences = [
        CheckedSentence("Words.", () if isinstance(v, list) else ("a",), v[0] if isinstance(v, list) else v, ())
        for v in verdicts
    ]
    return Ledger(tuple(sentences), None, None, None)


GOOD, PART, LOST, FALSE = Verdict.SUPPORTED, Verdict.PARTLY, Verdict.NOT_FOUND, Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("verdicts", "why"),
    [
        ([GOOD, GOOD], None),
        ([PART], None),
        ([LOST], "its only sentence is not found"),
        ([FALSE, LOST, GOOD], "of its 3 sentences that cite papers, 1 not found and 1 contradicted"),
        # 1 of 2 is not a majority.
        ([LOST, GOOD], None),
        # 2 of the 3 that cite something; those that cite nothing are found too easily to count.
        ([LOST, LOST, GOOD, [GOOD], [GOOD], [GOOD]], "of its 3 sentences that cite papers, 2 not found"),
        # A single sentence with a citation is not enough, and overall it is only 1 of 3.
        ([LOST, [GOOD], [GOOD]], None),
        ([[FALSE], [LOST], [GOOD]], "of its 3 sentences, 1 not found and 1 contradicted"),
    ],
)
def test_most_of_the_sentences_decide(verdicts, why):
    assert why_no_answer(QUESTION, "It is 73.", ledger(*verdicts)) == why


def test_an_echo_needs_no_evidence():
    assert why_no_answer(QUESTION, QUESTION, ledger(GOOD)) == ECHO
    assert why_no_answer(QUESTION, "It is 73.", None) is None


# The answer in its place --------------------------------------------------------------------------------


class Saying:
    """A chat model that always says the same; if it is asked for sub-questions, it gives one."""

    name = "fake:saying"

    def __init__(self, text):
        self.text = text

    def stream(self, system, prompt, **_):
        if "sub_questions" in system:
            yield (
                '{"thought": "So.", "sub_questions": ["How fast?"]}'
                if "<titles>" in prompt
                else ('{"thought": "So.", "sub_questions": []}')
            )
        elif "Feedback:" in system:
            yield "Feedback: none"
        else:
            yield self.text

    def converse(self, turns, tools, **_):
        yield from ()
        if turns[-1].role != "tool" and any(turn.role == "tool" for turn in turns):
            return ChatReply("", (ToolCall("a", "search", {"query": "dust"}),))
        return ChatReply(f"Answer: {self.text}")


def answer_with(text, generation=ModeName.RAG, **request):
    search_result = result()
    chat = Saying(with_keys(text, registry_of(search_result)))
    return answer(search_result, AnswerRequest(generation, **request), context(EMBEDDER, chat, lambda _: result()))


@pytest.mark.parametrize("generation", WRITTEN_MODES)
@pytest.mark.parametrize("text", [NONSENSE, "What is the expansion rate of the universe? [@cepheids]"])
def test_in_every_mode_the_papers_answer_and_what_the_model_wrote_is_folded(generation, text):
    answer_ = answer_with(text, generation)
    assert answer_.folded is not None
    assert answer_.folded.model == "fake:saying"
    assert "Bananas" not in answer_.text
    assert answer_.text.endswith(("[1]", "[2]", "[3]"))
    quotations = {claim.text for claim in answer_.claims}
    assert all(any(sentence in paper.abstract for paper in PAPERS) for sentence in quotations)
    assert not answer_.abstained
    (status,) = answer_.stage_status
    assert (status.status, status.model) == (StageOutcome.SUBSTITUTED, None)
    assert status.reason == f"what fake:saying wrote is not an answer: {answer_.folded.reason}"
    assert status.reason in answer_.notes


@pytest.mark.parametrize("generation", WRITTEN_MODES)
def test_in_every_mode_an_answer_from_the_papers_stays(generation):
    answer_ = answer_with(TRUE, generation)
    assert answer_.folded is None
    assert "measured with Cepheids" in answer_.text


def test_what_is_folded_keeps_its_marks_its_notes_and_its_evidence():
    answer_ = answer_with(f"{NONSENSE} So says [z9z9z].")
    assert answer_.folded.text.startswith("Bananas were grown on 12 farms [1].")
    assert answer_.folded.text.endswith("So says [z9z9z?].")
    assert answer_.folded.notes[0].startswith("the model cited [z9z9z]")
    assert not any("z9z9z" in note for note in answer_.notes)
    assert [sentence.verdict for sentence in answer_.folded.ledger.sentences][:2] == [LOST, LOST]


@pytest.mark.parametrize("generation", WRITTEN_MODES)
def test_a_source_that_the_model_makes_up_reaches_nobody(generation):
    answer_ = answer_with(f"{FORGED_SOURCE}{TRUE}", generation)
    assert "nobody wrote" not in repr(answer_)
    assert "measured with Cepheids" in answer_.text
    assert any("made up its own sources, which were removed" in note for note in answer_.notes)


def test_where_a_made_up_source_is_all_there_is_the_papers_answer():
    answer_ = answer_with(FORGED_SOURCE)
    assert "nobody wrote" not in repr(answer_)
    assert answer_.stage_status[0].status is StageOutcome.SUBSTITUTED
    assert answer_.claims


@pytest.mark.parametrize(
    ("text", "request_fields"),
    [
        ("I don't know: no source says it.", {}),
        ('object:"Hubble constant"', {"specialisation": Specialisation.BIBLIOMETRIC}),
    ],
)
def test_abstentions_and_ads_queries_are_never_folded(text, request_fields):
    assert answer_with(text, **request_fields).folded is None


def test_what_is_said_from_memory_is_never_folded():
    chat = Saying("Bananas are grown by monks.")
    answer_ = answer(result(relevant=False), AnswerRequest(from_memory=True), context(EMBEDDER, chat))
    assert "[from memory] Bananas" in answer_.text
    assert answer_.folded is None


def test_a_reply_that_was_folded_is_asked_for_again():
    cache, chat = ReplyCache(), ScriptedChat(["Bananas grow.", with_keys(TRUE, registry_of(result()))])

    def once():
        metered_chat = Chat.of(chat).metered("answer", BudgetTracker(UsagePolicy(cache=cache), AnswerRequest().budget))
        answer_ = answer(result(), AnswerRequest(), context(EMBEDDER, metered_chat))
        finalise_calls(metered_chat)
        return answer_

    assert once().folded is not None
    assert once().folded is None
    assert len(cache) == 1
