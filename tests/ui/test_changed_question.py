from pathfinder.types import Round
from pathfinder.ui.ask.result_page import describe_rounds


def test_the_first_search_is_no_round_of_refined_questions():
    first, second, third = Round(("q",), 10, 10), Round(("a", "b"), 4, 12), Round(("c",), 1, 12)
    assert describe_rounds((first, second)) == "1 round of refined questions: 10 → 12 papers close to your question"
    assert (
        describe_rounds((first, second, third))
        == "2 rounds of refined questions: 10 → 12 → 12 papers close to your question"
    )
