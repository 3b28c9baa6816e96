"""A topic year by year."""

import datetime
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from pathfinder.addons.timeline.figure import timeline_figure
from pathfinder.addons.timeline.outcome import FirstMention, Timeline
from pathfinder.addons.timeline.timeline import timeline_of
from pathfinder.errors import UsageError
from pathfinder.types import ConsensusHistory, ConsensusLevel, ConsensusYear, Keyword, Paper, SearchResult
from tests.answering.results import result

PF: Any = SimpleNamespace(profile=None)
MASERS = tuple(
    Paper(name, "Masers", text, year=year, keywords=("water masers",))
    for name, year, text in (
        ("map", 2003, "We map water masers with VLBI. We measure a Hubble constant of 72 ± 3 km/s/Mpc."),
        ("first", 2001, "Water masers are bright."),
        ("disc", 2003, "Water masers orbit a black hole."),
    )
)
UNDATED_PAPER = Paper("undated", "Masers", "Water masers of an unknown year.")
HISTORY = ConsensusHistory((ConsensusYear(2003, 2, 0, 0, 1.0, ConsensusLevel.STRONG_AGREEMENT),), None, "No change.")


def of(*papers: Paper, query: str = "What is the value of the Hubble constant?") -> SearchResult:
    search_result = result(papers or MASERS, query=query)
    return replace(search_result, keywords=(Keyword("VLBI"),))


def test_each_year_from_the_first_to_the_last_has_its_number_of_papers() -> None:
    timeline = timeline_of(PF, of(*MASERS, UNDATED_PAPER))
    assert timeline.years == ((2001, 1), (2002, 0), (2003, 2))
    assert timeline.notes == ("1 of the papers have no year and are left out",)


def test_terms_of_the_question_and_of_the_papers_have_the_paper_that_first_mentions_them() -> None:
    mentions = timeline_of(PF, of()).first_mentions
    assert [(mention.term, mention.paper.paper_id, mention.n_papers) for mention in mentions] == [
        ("water masers", "first", 3),
        ("vlbi", "map", 1),
    ]


def test_a_term_is_mentioned_by_whole_words_in_either_number_and_spelling() -> None:
    papers = (
        Paper("field", "Magnetic fields", "Magnetic fields are strong.", year=1990),
        Paper("plural", "Active nuclei", "AGNs are bright.", year=1995),
        Paper("singular", "A nucleus", "The AGN is faint.", year=1999),
    )
    search_result = replace(result(papers), keywords=(Keyword("AGN"), Keyword("AGNs")))
    mentions = timeline_of(PF, search_result).first_mentions
    assert [(mention.term, mention.paper.paper_id, mention.n_papers) for mention in mentions] == [("agn", "plural", 2)]


def test_the_first_mention_is_the_earliest_by_date_and_then_the_best_match() -> None:
    days = {"december": datetime.date(2001, 12, 1), "year": None, "second": None, "march": datetime.date(2001, 3, 1)}
    papers = tuple(Paper(name, "VLBI", "", year=2001, date=day) for name, day in days.items())
    firsts = [timeline_of(PF, of(*some)).first_mentions[0].paper.paper_id for some in (papers, papers[:3])]
    assert firsts == ["march", "year"]  # a year alone counts from 1 July


def test_of_a_paper_with_a_summary_only_the_title_mentions_terms() -> None:
    papers = (
        Paper("old", "Spiral nebulae", "An early work.", is_summary=True, year=1909),
        Paper("own", "Radio sources", "We use VLBI.", year=1970),
        Paper("titled", "VLBI of masers", "It was new.", is_summary=True, year=1980),
    )
    timeline = timeline_of(PF, of(*papers))
    assert [(mention.paper.paper_id, mention.n_papers) for mention in timeline.first_mentions] == [("own", 2)]
    assert len(timeline.notes) == 1
    maybe_first = replace(papers[0], abstract="An early work on VLBI.")
    without = timeline_of(PF, of(maybe_first, *papers[1:]))
    assert without.first_mentions == ()
    assert len(timeline_figure(without).data) == 1  # the papers alone


def test_values_of_the_quantity_that_the_question_asks_for_are_on_it() -> None:
    assert [(value.value, value.plus) for value in timeline_of(PF, of()).values] == [(72.0, 3.0)]
    assert timeline_of(PF, of(query="What are masers?")).values == ()


@pytest.mark.parametrize("n_papers", [1, 501])
def test_another_number_of_papers_is_refused(n_papers: int) -> None:
    with pytest.raises(UsageError, match=rf"{n_papers}.*2.*500"):
        timeline_of(PF, of(), n_papers)


def test_the_figure_has_a_part_for_whatever_there_is() -> None:
    whole = timeline_figure(timeline_of(PF, of(), consensus=HISTORY))
    assert [axis.title.text for axis in (whole.layout.yaxis, whole.layout.yaxis2, whole.layout.yaxis4)] == [
        *("papers", "first mention", "consensus")
    ]
    assert "Hubble constant" in whole.layout.yaxis3.title.text
    bare = timeline_figure(timeline_of(PF, of(query="What are masers?")))
    assert "yaxis3" not in bare.layout
    assert bare.layout.height < whole.layout.height
    assert bare.data[0].y == (1, 0, 2)


def test_a_short_timeline_names_each_year_once() -> None:
    assert timeline_figure(timeline_of(PF, of())).layout.xaxis2.dtick == 1
    old = Paper("old", "Masers", "Water masers are found.", year=1969)
    assert timeline_figure(timeline_of(PF, of(*MASERS, old))).layout.xaxis2.dtick is None


def test_markup_in_a_term_and_a_title_is_shown_and_not_followed() -> None:
    mention = FirstMention("<b>x</b>", Paper("p", "<i>Dust</i>", "", year=2001), 2)
    timeline = Timeline("?", (mention.paper,), (mention,), (), None)
    figure = timeline_figure(timeline)
    assert figure.layout.yaxis2.ticktext == ("&lt;b&gt;x&lt;/b&gt;",)
    assert figure.data[-1].hovertext == ("&lt;i&gt;Dust&lt;/i&gt;<br>2 papers mention it",)
