from pathfinder.types import Expansion, Round
from pathfinder.ui.findings import expansion_in_words, rounds_in_words


def test_the_first_search_is_no_round_of_refined_questions():
    first, second, third = Round(("q",), 10, 10), Round(("a", "b"), 4, 12), Round(("c",), 1, 12)
    assert rounds_in_words((first, second)) == "1 round of refined questions: 10 → 12 papers near yours"
    assert rounds_in_words((first, second, third)) == "2 rounds of refined questions: 10 → 12 → 12 papers near yours"


def test_an_expansion_says_who_says_so():
    assert expansion_in_words(Expansion("MW", ("Milky Way",), "your own map")) == (
        "Looked up with “MW”: Milky Way (from your own map)"
    )
