"""The jobs of a question on the page: whatever they ask of a chat model, one budget pays for it."""

from streamlit.testing.v1 import AppTest

from pathfinder import Pathfinder
from pathfinder.answering.settings import AnswerSettings
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.types import Budget, Usage

QUESTION = "What is the value of the Hubble constant?"


def texts_of(script, own: Pathfinder, budget: Budget) -> list[str]:
    page = AppTest.from_function(script, args=(own, QUESTION, budget)).run()
    assert not page.exception
    return [element.value for element in page.text]


def stopped_and_asked_again(own, question, budget):
    import streamlit as st

    from pathfinder.ui.shared import jobs

    result = jobs.within_budget(own, budget).search(question)
    stream = jobs.within_budget(own, budget).stream_answer(result)
    next(stream)
    stream.close()
    st.text(jobs.within_budget(own, budget).answer(result).stages[0].ran)
    st.text(jobs.within_budget(own, budget).route(result).decided_by)


def followed_up(own, question, budget):
    import streamlit as st

    from pathfinder.ui.shared import jobs

    jobs.preparing(own, budget).follow_up([question], "and from lensed quasars?")
    jobs.begin_question()
    result = jobs.within_budget(own, budget).search(question)
    st.text(jobs.within_budget(own, budget).answer(result).stages[0].ran)


def test_a_stopped_answer_leaves_less_for_the_rest_of_the_question(pf: Pathfinder) -> None:
    own = pf.with_chat(ScriptedChat(["It is 73 or so.", "never", "never"]))
    first, kind = texts_of(stopped_and_asked_again, own, Budget(calls=1))
    assert first == "extractive (budget spent)"
    assert kind.startswith("rules (")


def test_a_follow_up_is_paid_for_by_the_question_that_it_becomes(pf: Pathfinder) -> None:
    own = pf.with_chat(ScriptedChat([Reply('{"question": "What is H0?"}', usage=Usage(990, 10)), "never"]))
    assert texts_of(followed_up, own, AnswerSettings(tokens=1_000).budget) == ["extractive (budget spent)"]
