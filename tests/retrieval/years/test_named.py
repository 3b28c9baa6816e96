import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.corpus.missions.catalogue import all_missions
from pathfinder.retrieval.years.in_questions import topic, years_named
from pathfinder.retrieval.years.readings import mission_in_question

TODAY = datetime.date(2024, 7, 1)


def bounds(question: str, today: datetime.date | None = TODAY) -> tuple[int | None, int | None] | None:
    named = years_named(question, today)
    return None if named is None else (named.first, named.last)


# What is no year ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        "",
        "?",
        "2023",
        "What powered the neutrino burst of SN 1987A?",
        "How has our view of neutrinos changed with SN 1987A and SN1987A?",
        "Is NGC 2024 in Orion, and what lies in NGC 2024?",
        "What is the spin of HD 2039 b?",
        "How does dust sublimate at 2000 K, up to 2000 K and in 1900 K gas?",
        "Are there outflows between 1500 and 2000 km/s?",
        "Are there lines from 1900 to 2100 Å or from 1900-2000 nm?",
        "What does arXiv:2010.12345 say, and what was found in 2010.12345?",
        "Which stars move in J2000 coordinates, at equinox 2000?",
        "Is Abell 1835 relaxed, and what is in Abell 1835?",
        "What do the WMAP 9-year data and the Planck 2018 results say of H0?",
        "What afterglow did GRB 2021A have? And GRB 210905A?",
        "Does the relation hold, as said by (Smith et al. 2020) and Jones (2019)?",
        "Is the effect of Riess et al. 2022 real?",
        "Which ages do 2017ApJ and 2019MNRAS give?",
        "How many candidates are there in 2000 galaxies, and by 1900 faint quasars?",
        "Is the power spectrum known for multipoles up to 2000?",
        "What is seen in 1990s exposures?",
        "NIRSpec exposures 1800s",
        "2000s oscillation",
        "Oceanic crust mapped by the 1990 Expedition",
        "What did AT 2017gfo look like in the first days after GW170817?",
    ],
)
def test_numbers_that_look_like_years_name_none(question: str) -> None:
    assert bounds(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "What are recent results on dark matter?",
        "What was learnt in recent years?",
        "What was learnt in the past few years?",
        "What do we know of the past 10 billion years of star formation?",
        "How did the flux change in the last ten years of the mission?",
        "What will be found in the next decade?",
        "How bright was it last night?",
        "How has activity changed over the past 5000 years?",
    ],
)
def test_a_vague_or_a_cosmic_time_names_no_year(question: str) -> None:
    assert bounds(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "What did Kepler think of harmony before Kepler met Tycho?",
        "What was known of Venus before Galileo?",
        "What happened before the Planck era and in the Planck era?",
        "Since Gaia has parallaxes, are distances known?",
        "How massive must a disk be before ALMA can see it?",
        "What did JWST see?",
        "Is swift accretion possible after swift collapse?",
        "What comes after the Webb of galaxies?",
    ],
)
def test_a_name_without_its_mission_and_a_reason_count_from_no_year(question: str) -> None:
    assert bounds(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "Comparison of models before and after 2002",
        "Comparison before and after the Mars Reconnaissance Orbiter mission",
        "Comparison after or before the 2018 release",
        "atmospheres detected before 2010 or after 2020",
        "Telescopes (pre-2005) and orbiters (post-2005)",
    ],
)
def test_years_that_together_leave_nothing_out_are_no_filter(question: str) -> None:
    assert bounds(question) is None


def test_a_pasted_abstract_is_not_read() -> None:
    assert bounds("We observed it after 2010. " + "It is bright. " * 20) is None
    assert bounds("We observed it after 2010. " + "It is bright. " * 5) == (2011, None)


def test_what_is_named_with_its_year_bounds_the_years() -> None:
    assert bounds("planets found before 51 Pegasi b (1995)") == (None, 1994)
    assert bounds("planets found before 51 Pegasi b") is None


def test_years_that_lie_ahead_bound_no_search() -> None:
    assert bounds("What will be found after 2040?") is None
    assert bounds("What will be found after 2040?", None) == (2041, None)


@pytest.mark.parametrize("question", ["in the last five years", "this year", "in the past decade", "last year"])
def test_years_counted_from_today_need_a_today(question: str) -> None:
    assert bounds(f"What was found {question}?", None) is None


# What is one --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("RLHF since 2023", (2023, None)),
        ("How is mass tied to redshift since 2020?", (2020, None)),
        ("What of the mass function in 2019?", (2019, 2019)),
        ("What is known after 2023?", (2024, None)),
        ("Fast radio bursts since 2020", (2020, None)),
        ("dark matter post-2005", (2006, None)),
        ("quasars from 2015 on", (2015, None)),
        ("quasars, 2015 or later", (2015, None)),
        ("Papers starting in 2018 on tides", (2018, None)),
        ("What was thought before 2010?", (None, 2009)),
        ("pre-2005 detections of methane", (None, 2004)),
        ("What was known prior to the mid-1990s?", (None, 1993)),
        ("What was known until 2015?", (None, 2015)),
        ("Papers up to 2015 on bars", (None, 2015)),
        ("work on bars, 2015 and earlier", (None, 2015)),
        ("Supernovae between 2010 and 2015", (2010, 2015)),
        ("papers on supernovae from 2010 to 2015", (2010, 2015)),
        ("List supernovae in 2010-2015", (2010, 2015)),
        ("What was known by 2015 of bars?", (None, 2015)),
        ("Solar Cycle 25 (2019–2030)", (2019, 2030)),
        ("the probe (2018-present)", (2018, None)),
        ("What was learnt in the 1990s?", (1990, 1999)),
        ("1990s extrasolar planets", (1990, 1999)),
        ("extrasolar planets 1990s", (1990, 1999)),
        ("What was learnt in the early 1990s?", (1990, 1993)),
        ("What was learnt in the late 1990s?", (1997, 1999)),
        ("from the 1960s to the 2000s", (1960, 2009)),
        ("magnetars this year", (2024, 2024)),
        ("theories in the 1990s vs the 2020s", (1990, 2029)),
        ("since the 1980s", (1980, None)),
        ("What was found about Venus in 2019?", (2019, 2019)),
        ("Exoplanet papers published in 2021", (2021, 2021)),
        ("2021 papers on exoplanets", (2021, 2021)),
        ("made after 2015 but before 2020", (2016, 2019)),
        ("after the 2015 outburst but before the 2020 one", (2015, 2020)),
    ],
)
def test_years_are_read_where_a_word_says_so(question: str, expected: tuple[int | None, int | None]) -> None:
    assert bounds(question) == expected


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is known of the supernova discovered in 1987?", 1987),
        ("The merger detected in 2017: what was it?", 2017),
        ("What was observed near the Galactic centre in 2019?", 2019),
        ("How did the crust move during the 1989 Loma Prieta earthquake?", 1989),
        ("the 2024 total solar eclipse and the corona", 2024),
        ("cosmic rays since their discovery in 1912", 1912),
    ],
)
def test_what_happened_in_a_year_is_written_about_from_then_on(question: str, first: int) -> None:
    assert bounds(question) == (first, None)


@pytest.mark.parametrize(
    ("title", "first"),
    [
        ("Astrophysics in 2003", 2003),
        ("Optical monitoring of S5 0716+714 from 1994 to 2000", 1994),
        ("Photometry of GK Per in 1979-1982", 1979),
        ("The spectrum of P Cygni in 1964", 1964),
    ],
)
def test_a_title_finds_its_own_paper_though_that_came_out_later(title: str, first: int) -> None:
    assert bounds(title) == (first, None)


@pytest.mark.parametrize(
    ("phrase", "first"),
    [
        ("in the last five years", 2019),
        ("over the past 5 years", 2019),
        ("in the past decade", 2014),
        ("last two decades", 2004),
        ("over the past twenty years", 2004),
        ("in the past quarter-century", 1999),
        ("over the past half century", 1974),
        ("in the last 50 years", 1974),
        ("in the last six months", 2024),
        ("in the last eight months", 2023),
        ("in the last year", 2023),
        ("this decade", 2020),
        ("in the past ten years of research", 2014),
    ],
)
def test_years_back_are_counted_from_today(phrase: str, first: int) -> None:
    assert bounds(f"How has this field moved on {phrase}?") == (first, None)


def test_this_year_and_last_year_are_one_year_each() -> None:
    assert bounds("What was found this year?") == (2024, 2024)
    assert bounds("What was found last year?") == (2023, 2023)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was known of early galaxies before JWST?", (None, 2021)),
        ("early galaxies before the launch of the James Webb Space Telescope", (None, 2020)),
        ("early galaxies in the JWST era", (2022, None)),
        ("early galaxies in the age of JWST", (2022, None)),
        ("parallaxes since Gaia", (2014, None)),
        ("parallaxes since Gaia DR2", (2018, None)),
        ("pre-ALMA disks", (None, 2010)),
        ("transits in the Kepler era", (2009, None)),
        ("transits after the Kepler mission", (2009, None)),
        ("pre-Kepler transits", (None, 2008)),
        ("Dark matter in the era of gravitational-wave astronomy", (2015, None)),
        ("JWST observations of the early universe since its launch", (2021, None)),
    ],
)
def test_a_mission_stands_for_the_year_of_its_first_data_or_of_its_launch(
    question: str, expected: tuple[int | None, int | None]
) -> None:
    assert bounds(question) == expected


def test_every_mission_has_a_year_a_name_and_a_source() -> None:
    named = [mission for mission in all_missions() if mission.question_names]
    assert len(named) >= 25
    for mission in named:
        assert 1960 <= mission.first_data.year <= 2030
        assert mission.first_data.source
    names = [name.casefold() for mission in named for name in (*mission.question_names, *mission.shared_question_names)]
    assert len(names) == len(set(names))
    assert mission_in_question("xmm  NEWTON") is mission_in_question("XMM-Newton")


@given(
    st.lists(
        st.sampled_from(
            "after before since until between 2010 2015 1990s and to or in the last five years (2001-2005) pre-JWST "
            "JWST era papers ? early post-2003 2000 K by this year".split()
        ),
        max_size=14,
    ).map(" ".join)
)
def test_whatever_is_asked_the_first_year_is_no_later_than_the_last(question: str) -> None:
    named = years_named(question, TODAY)
    if named is not None:
        assert (named.first, named.last) != (None, None)
        assert named.first is None or named.last is None or named.first <= named.last
        assert named.words == " … ".join(question[start:end] for start, end in named.spans)
        assert topic(question, named)


# What is said of it -------------------------------------------------------------------------------------


def test_the_words_that_say_so_are_quoted_from_the_question() -> None:
    question = "Bars in the 1990s vs the 2020s"
    named = years_named(question, TODAY)
    assert named is not None
    assert named.words == "in the 1990s … vs the 2020s"
    assert [question[start:end] for start, end in named.spans] == ["in the 1990s", "vs the 2020s"]


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("RLHF since 2023", "RLHF"),
        ("What has been found after 2023, and how?", "What has been found, and how?"),
        ("In the last five years, which planets were found?", "which planets were found?"),
        ("What was observed near the Galactic centre in 2019?", "What was observed near the Galactic centre?"),
        ("the 2024 total solar eclipse", "the total solar eclipse"),
        ("spots after the 2015 outburst", "spots outburst"),
        ("since 2023", "since 2023"),
    ],
)
def test_the_topic_is_the_question_without_its_years(question: str, left: str) -> None:
    named = years_named(question, TODAY)
    assert named is not None
    assert topic(question, named) == left


@pytest.mark.parametrize("unit", ["mJy", "nG", "kiloparsecs", "solar masses", "pixels", "µas"])
def test_a_number_before_any_unit_of_the_table_is_no_year(unit):
    assert bounds(f"What is known of sources up to 2000 {unit}?") is None


@pytest.mark.parametrize("word", ["L dwarfs", "GW events", "bar models", "Newton"])
def test_a_word_that_is_only_sometimes_a_unit_leaves_the_year_a_year(word):
    assert bounds(f"What was found since 2015 {word}?") == (2015, None)


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("How many papers on comets appeared in 2011?", (2011, 2011)),
        ("papers that appeared in 2011 on comets", (2011, 2011)),
        ("papers about the comet that appeared in 2011", (2011, None)),
        ("which papers describe a comet appearing in 2011?", (2011, None)),
    ],
)
def test_papers_appear_in_their_year_and_papers_on_a_comet_from_its_year_on(question, years):
    assert bounds(question) == years
