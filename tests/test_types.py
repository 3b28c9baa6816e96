import datetime

import pytest

from pathfinder.errors import UsageError
from pathfinder.types import Paper, SearchRequest, Weighting, without_control_characters


@pytest.mark.parametrize("query", ["", "   ", "\n\t", "\x00\x07"])
def test_an_empty_question_is_refused_with_what_to_do(query):
    with pytest.raises(UsageError, match="type a question"):
        SearchRequest(query)


@pytest.mark.parametrize("top_k", [0, -1, 31, "ten", 2.5, True, None])
def test_a_top_k_out_of_range_is_refused(top_k):
    with pytest.raises(UsageError, match=r"top_k.*1\.\.30"):
        SearchRequest("dark matter", top_k=top_k)


def test_a_first_year_after_the_last_is_refused():
    with pytest.raises(UsageError, match=r"year_from.*year_to.*2024.*2020"):
        SearchRequest("dark matter", year_from=2024, year_to=2020)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("year_from", "2020"),
        ("year_to", float("nan")),
        ("extra_keywords", "JWST"),
        ("today", "2020-01-01"),
        ("sides", "hybrid"),
        ("fusion", "bogus"),
    ],
)
def test_a_setting_of_another_kind_is_refused_by_name(name, value):
    with pytest.raises(UsageError, match=f"{name} must be"):
        SearchRequest("dark matter", **{name: value})


def test_a_preset_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(UsageError, match=r"Preset\.BALANCED.*Preset\.PAPER.*'bogus'"):
        Weighting(preset="bogus")


def test_one_year_is_a_range():
    assert SearchRequest("dark matter", year_from=2024, year_to=2024).year_to == 2024


@pytest.mark.parametrize("strength", [-0.1, 1.1, float("nan"), "much", True])
def test_a_strength_outside_zero_to_one_is_refused(strength):
    with pytest.raises(UsageError, match=r"the weight of recency must lie in 0\.\.1"):
        Weighting(recency=strength)


def test_control_characters_go_and_line_breaks_become_spaces():
    assert without_control_characters("a\x00b\nc\td\x7fe") == "ab c d" + "e"


def test_signs_that_turn_the_direction_of_text_go_and_others_without_width_stay():
    assert without_control_characters("\u202ea\u202ab\u2066c\u2069d") == "abcd"
    assert without_control_characters("\u200ea\u200db\u2065") == "\u200ea\u200db\u2065"


def test_lone_surrogates_go_because_nothing_can_encode_them():
    assert SearchRequest("dark\ud800 matter").query == "dark matter"


def test_emoji_and_right_to_left_text_stay_as_written():
    query = "🌌 מה זה חור שחור؟ café \u200f"
    assert SearchRequest(query).query == query.strip()


def test_a_year_alone_counts_as_the_first_of_july():
    assert Paper("p", "T", "A", year=1998).published == datetime.date(1998, 7, 1)


def test_a_paper_without_year_and_date_has_no_publication_day():
    assert Paper("p", "T", "A").published is None


def test_title_and_abstract_are_searched_with_one_full_stop_between():
    assert Paper("p", "A title.", "An abstract.").text == "A title. An abstract."
