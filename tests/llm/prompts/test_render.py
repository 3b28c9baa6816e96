import pytest

from pathfinder.llm.prompts import render


def test_every_name_of_a_prompt_is_replaced():
    prompt = render("rag_question", earlier="", sources="SOURCES", n_sources="2", question="Why?")
    assert prompt.startswith("SOURCES")
    assert prompt.endswith("Question: Why?")


def test_a_missing_name_is_an_error():
    with pytest.raises(ValueError, match="rag_question needs earlier, n_sources, sources"):
        render("rag_question", question="Why?")


def test_a_name_too_many_is_an_error():
    with pytest.raises(ValueError, match="rag_memory_system has no place for question"):
        render("rag_memory_system", question="Why?")


def test_a_dollar_sign_in_a_value_is_left_as_it_is():
    assert "$question and $z \\sim 6$" in render(
        "rag_question", earlier="", sources="$question and $z \\sim 6$", n_sources="1", question="Why?"
    )
