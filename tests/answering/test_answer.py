import re
from dataclasses import replace

import pytest

from pathfinder.answering import answer as whole_answer
from pathfinder.answering.answer import MODE_FAILED
from pathfinder.answering.assessment.evidence.ledger import WORDS_ALONE
from pathfinder.answering.session import answer_session
from pathfinder.errors import (
    BrokenStream,
    MissingDependency,
    MissingKey,
    ProviderError,
    RateLimited,
    RejectedKey,
    Unreachable,
)
from pathfinder.models.fake import HashEmbedder, Reply, ScriptedChat
from pathfinder.settings import LOCAL_EMBEDDER
from pathfinder.types import AnswerRequest, Claim, ModeName, RetrievalMode, StageOutcome, Verdict
from tests.answering import results as answering
from tests.answering.results import PAPERS, context, of_empty_corpus, registry_of, result, with_keys
from tests.answering.scripts import drain

EMBEDDER = HashEmbedder(256)
EVERY_FAILURE = [ProviderError, MissingKey, RejectedKey, RateLimited, Unreachable, BrokenStream, MissingDependency]


def answer(search_result, embedder, chat):
    return answering.answer(search_result, AnswerRequest(), context(embedder, chat))


def stream_answer(search_result, embedder, chat):
    return answering.stream_answer(search_result, AnswerRequest(), context(embedder, chat))


def ran(answer):
    (stage,) = answer.stages
    assert stage.name == "answer"
    assert stage.seconds >= 0
    return stage.ran


# Without anything -------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [ValueError("all input arrays must have the same shape"), Unreachable("no embedder")])
@pytest.mark.parametrize("chat", [None, ScriptedChat(lambda _: Reply("", Unreachable("no model")))])
@pytest.mark.parametrize("generation", [ModeName.EXTRACTIVE, ModeName.RAG])
def test_an_answer_that_cannot_even_quote_keeps_its_papers_and_says_why(monkeypatch, fault, chat, generation):
    def quote(*_, **__):
        raise fault

    monkeypatch.setattr(answer_session, "quote", quote)
    reply = answering.answer(result(), AnswerRequest(generation), context(EMBEDDER, chat))
    (status,) = reply.stage_status
    assert (status.status, reply.abstained, reply.claims) == (StageOutcome.FAILED, True, ())
    assert list(reply.sources) == [hit.paper for hit in result().hits]
    assert str(fault) in status.reason
    assert status.reason in reply.text
    assert status.reason in reply.notes


def test_a_draft_that_cannot_be_checked_is_not_shown_but_its_papers_are(monkeypatch):
    def ledger_of(*_):
        raise IndexError("no such sentence")

    monkeypatch.setattr(whole_answer, "ledger_of", ledger_of)
    reply = answer(result(), EMBEDDER, None)
    assert reply.stage_status[0].status is StageOutcome.FAILED
    assert reply.sources


# Without a chat model ---------------------------------------------------------------------------------


@pytest.mark.parametrize("relevant", [True, None])
def test_without_a_chat_model_the_hits_answer_in_their_own_words(relevant):
    reply = answer(result(relevant=relevant), EMBEDDER, None)
    assert ran(reply) == "extractive, no chat model set"
    assert reply.stage_status[0].status is StageOutcome.SUBSTITUTED
    assert reply.stage_status[0].reason == "no chat model is set"
    assert not reply.abstained
    assert all(claim.citations for claim in reply.claims)
    assert reply.question == "What is the expansion rate of the universe?"


def test_the_stream_of_an_extractive_answer_is_its_text():
    pieces, answer = drain(stream_answer(result(), EMBEDDER, None))
    assert "".join(pieces) == answer.text


# "I don't know" ---------------------------------------------------------------------------------------


def test_nothing_relevant_is_said_with_advice_and_the_chat_model_is_not_asked():
    chat = ScriptedChat([])
    pieces, answer = drain(stream_answer(result(relevant=False, year_from=2018, year_to=2020), EMBEDDER, chat))
    assert answer.abstained
    assert answer.text.startswith("I don't know: nothing in the 12 papers of this corpus")
    assert "from 2018 to 2020" in answer.text
    assert "Rephrase" in answer.text
    assert answer.claims == ()
    assert "".join(pieces) == answer.text
    assert ran(answer) == "none: nothing relevant enough"
    assert chat.received == []


def test_years_are_not_spoken_of_when_none_are_set():
    assert "years" not in answer(result(relevant=False), EMBEDDER, None).text


def test_a_question_in_another_language_learns_in_which_to_ask():
    question = "Wie entstehen die schwarzen Löcher, und warum ist das so?"
    advice = answer(result(relevant=False, query=question), EMBEDDER, None).text
    assert "The papers are in English, and the question seems to be in German: ask in English." in advice
    assert "ask in" not in answer(result(relevant=False), EMBEDDER, None).text


@pytest.mark.parametrize(
    ("search_result", "message"),
    [
        (of_empty_corpus(result(())), "contains no papers"),
        (result((), year_from=2030), "no papers were found from 2030 on. Widen the range of years"),
        (result((), year_to=1900), "no papers were found up to 1900. Widen the range of years"),
        (result((), sides=RetrievalMode.SPARSE), "no paper contains any word in the question"),
        (result(()), "no papers were found. Rephrase"),
    ],
)
def test_no_hit_has_advice_of_its_own(search_result, message):
    reply = answer(search_result, EMBEDDER, ScriptedChat([]))
    assert reply.abstained
    assert reply.text.startswith("I don't know")
    assert message in reply.text
    assert ran(reply) == "none: no papers were found"


# With a chat model --------------------------------------------------------------------------------------


def test_a_chat_model_answers_from_the_sources_and_every_mark_is_checked():
    reply = with_keys(
        "It is 73 [@cepheids] or 67 [@cmb]. Dust is cold [@dust, z9z9z]. So it is [12].", registry_of(result())
    )
    pieces, answer = drain(stream_answer(result(), EMBEDDER, ScriptedChat([reply])))
    assert answer.text == "It is 73 [1] or 67 [2]. Dust is cold [3, z9z9z?]. So it is [12?]."
    assert "".join(pieces) == answer.text
    assert answer.claims == (
        Claim("It is 73 or 67.", ("cepheids", "cmb")),
        Claim("Dust is cold.", ("dust",)),
        Claim("So it is.", ()),
    )
    assert ran(answer) == "RAG, multi-paper, scripted, fake"
    (note,) = answer.notes
    assert "[z9z9z], [12]" in note
    assert answer.sources == PAPERS


def test_the_chat_model_is_given_question_and_sources_apart_from_its_orders():
    chat = ScriptedChat(["It is so."])
    answer(result(), EMBEDDER, chat)
    ((system, prompt),) = chat.received
    assert "never instructions" in system
    assert "expansion rate" not in system
    assert prompt.startswith(f'<source key="{registry_of(result()).key("cepheids")}">')
    assert prompt.endswith("Question: What is the expansion rate of the universe?")


def test_a_model_that_does_not_know_abstains():
    reply = answer(result(), EMBEDDER, ScriptedChat(["I don’t know. No source gives it."]))
    assert reply.abstained
    assert ran(reply) == "RAG, multi-paper, scripted, fake"


@pytest.mark.parametrize("reply", ["I don't know.", "I don't know: none of the sources says it. Ask of dust."])
def test_not_to_know_is_no_claim_to_be_checked(reply):
    own_answer = answer(result(), EMBEDDER, ScriptedChat([reply]))
    assert own_answer.abstained
    assert own_answer.ledger is None


def test_what_is_cited_behind_not_knowing_is_checked_and_the_not_knowing_is_not():
    reply = with_keys("I don't know. Dust is hot and 9 K cold [@dust].", registry_of(result()))
    own_answer = answer(result(), EMBEDDER, ScriptedChat([reply]))
    assert [sentence.text for sentence in own_answer.ledger.sentences] == ["Dust is hot and 9 K cold."]


@pytest.mark.parametrize("partial_text", ["", "The expansion rate is 99. And then "])
@pytest.mark.parametrize("failure", EVERY_FAILURE)
def test_when_the_provider_fails_the_extractive_answer_stands_in(failure, partial_text):
    chat = ScriptedChat([Reply(partial_text, failure("the provider is down: try again later"))])
    pieces, reply = drain(stream_answer(result(), EMBEDDER, chat))
    alone = answer(result(), EMBEDDER, None)
    assert "".join(pieces) == partial_text
    assert (reply.text, reply.claims, reply.abstained) == (alone.text, alone.claims, False)
    assert ran(reply) == "extractive (the chat model failed)"
    assert reply.notes == ("the provider is down: try again later",)


@pytest.mark.parametrize("reply", ["", "  \n"])
def test_an_empty_reply_is_a_failure(reply):
    own_answer = answer(result(), EMBEDDER, ScriptedChat([reply]))
    assert ran(own_answer) == "extractive (the chat model failed)"
    assert "empty reply" in own_answer.notes[0]


def test_a_mistake_of_ours_is_not_taken_for_the_providers():
    reply = answer(result(), EMBEDDER, ScriptedChat(lambda prompt: {}[prompt]))
    assert ran(reply) == MODE_FAILED
    assert "KeyError" in reply.stage_status[0].reason
    assert reply.claims


def test_what_the_prompt_had_no_room_for_is_said():
    long = replace(PAPERS[1], abstract="word " * 10_000)
    search_result = result((PAPERS[0], long))
    reply = answer(
        search_result,
        EMBEDDER,
        ScriptedChat([with_keys("It is measured with Cepheids [@cepheids].", registry_of(search_result))]),
    )
    assert reply.notes == ("the prompt had no room for [2]: the answer does not draw on them",)


# The second judge -------------------------------------------------------------------------------------


def judging(reply):
    """Return a model that answers with one sentence, and judges it with `reply`, in which @ stands for the key of the
    claim.
    """

    def reply_to(prompt):
        if "<claim key=" in prompt:
            return Reply(reply.text.replace("@", re.findall(r'<claim key="([^"]*)"', prompt)[0]), reply.error)
        return with_keys("The expansion rate is 73 km/s/Mpc [@cepheids].", registry_of(result()))

    return ScriptedChat(reply_to)


def second_judgement(chat, embedder=EMBEDDER):
    return answering.answer(result(), AnswerRequest(second_judge=True), context(embedder, chat))


def test_without_a_chat_model_it_is_said_that_there_is_no_second_judge():
    answer = second_judgement(None)
    assert "the evidence was not judged a second time: no chat model is set" in answer.notes
    assert {sentence.second_verdict for sentence in answer.ledger.sentences} == {None}
    assert [stage.name for stage in answer.stages] == ["answer"]


def test_a_chat_model_that_failed_is_not_asked_to_judge():
    chat = ScriptedChat([Reply("", ProviderError("HTTP 500"))])
    assert "the evidence was not judged a second time: the chat model failed" in second_judgement(chat).notes
    assert len(chat.received) == 1


@pytest.mark.parametrize("kind", EVERY_FAILURE)
def test_a_second_judge_that_fails_is_a_note_and_no_verdict(kind):
    answer = second_judgement(judging(Reply("", kind("it went wrong"))))
    assert any(note.startswith("the evidence was not judged a second time: ") for note in answer.notes)
    assert [sentence.second_verdict for sentence in answer.ledger.sentences] == [None]
    assert answer.stages[1].ran.startswith("none: ")
    assert answer.text == "The expansion rate is 73 km/s/Mpc [1]."


def test_a_second_judge_says_what_it_makes_of_each_sentence():
    answer = second_judgement(judging(Reply('{"verdicts": [{"key": "@", "verdict": "partly"}]}')))
    (sentence,) = answer.ledger.sentences
    assert (sentence.verdict, sentence.second_verdict) == (Verdict.SUPPORTED, Verdict.PARTLY)
    assert [(stage.name, stage.ran) for stage in answer.stages][1:] == [("second judge", "scripted, fake")]


def test_nobody_judges_twice_unless_asked():
    chat = judging(Reply("never said"))
    answer(result(), EMBEDDER, chat)
    assert len(chat.received) == 1


def test_meanings_are_compared_by_the_embedder_that_ships_and_by_no_other():
    class Ours(HashEmbedder):
        name = LOCAL_EMBEDDER

    assert answer(result(), EMBEDDER, None).ledger.notes == (WORDS_ALONE,)
    assert answer(result(), Ours(256), None).ledger.notes == ()
