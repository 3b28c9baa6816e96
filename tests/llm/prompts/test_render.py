import pytest

from pathfinder.llm.prompts import render


def test_every_name_of_a_prompt_is_replaced():
    prompt = render("rag_question", earlier="", sources="$question and $z \\sim 6$", n_sources="2", question="Why?")
    assert prompt.startswith("$question and $z \\sim 6$")  # a dollar sign in a value is left as it is
    assert prompt.endswith("Question: Why?")


def test_a_missing_name_and_a_name_too_many_are_errors():
    with pytest.raises(ValueError, match="rag_question needs earlier, n_sources, sources"):
        render("rag_question", question="Why?")
    with pytest.raises(ValueError, match=r"rag_memory_system.*question"):
        render("rag_memory_system", question="Why?")
