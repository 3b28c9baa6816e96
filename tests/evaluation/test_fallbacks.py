import pytest

from pathfinder.evaluation.fallbacks import fell_back
from pathfinder.types import Stage


@pytest.mark.parametrize(
    "ran",
    [
        "not run: the corpus has no token vectors",
        "not used: the question has only stop words",
        "cohere:rerank-v3.5 unavailable (HTTP 429 from it): local, 250 papers",
        "feedback (HTTP 503)",
        "rules (HTTP 503)",
        "2 sub-questions, by rules (no answer)",
        "1 question in 1 round, by rules (no answer)",
    ],
)
def test_what_stands_in_is_told(ran):
    assert fell_back([Stage("s", ran)], 1) == (f"s fell back for 1 of 1 questions: {ran}",)


@pytest.mark.parametrize(
    "ran",
    [
        "not used: words only",
        "feedback, first 5 hits",
        "one part, by rules",
        "local, 250 papers",
        "exact cosine, FAISS",
    ],
)
def test_what_was_asked_for_is_no_fallback(ran):
    assert fell_back([Stage("s", ran)], 1) == ()


def test_all_wordings_of_a_stage_count_together():
    wordings = ["feedback (HTTP 429)", "feedback (HTTP 503)", "1 abstract by m", "feedback (HTTP 503)"]
    stages = [Stage("imagine", ran) for ran in wordings]
    assert fell_back(stages, 4) == ("imagine fell back for 3 of 4 questions: feedback (HTTP 503)",)
