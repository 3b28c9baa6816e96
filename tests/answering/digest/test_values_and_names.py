import pytest

from pathfinder.answering.digest.digest import notes_on
from pathfinder.answering.digest.lines import Excerpt, named_lines, of_the_kind
from pathfinder.answering.digest.values import OF_MANY, no_value_note, states_no_count, values_of_papers
from pathfinder.types import Hit, Paper, Score


def hits(*papers: Paper) -> tuple[Hit, ...]:
    return tuple(Hit(paper, row, Score(1.0, fused=1.0)) for row, paper in enumerate(papers))


OLD = Paper("old", "A relation", "The Hubble constant is 500 km/s/Mpc.", authors=("Hubble, E.",), year=1929)
RIESS = Paper(
    "riess", "Cepheids", "They obtain H0 = 73.0 +/- 1.0 km/s/Mpc.", authors=("Riess, A.",), year=2022, citation_count=9
)
PLANCK = Paper(
    "planck",
    "The sky",
    "A Hubble constant of 67.4 +/- 0.5 km/s/Mpc.",
    authors=("Planck",),
    year=2020,
    citation_count=99,
)


def test_values_come_newest_first_where_todays_is_asked():
    lines = values_of_papers("How fast is the universe expanding today?", [OLD, RIESS, PLANCK])
    assert lines is not None
    assert [value.paper_id for value in lines.values] == ["riess", "planck", "old"]
    assert [finding.sentence for finding in lines.findings] == [RIESS.abstract, PLANCK.abstract, OLD.abstract]
    assert all(
        paper.abstract[value.start : value.end].startswith(f"{value.value:g}")
        for value, paper in zip(lines.values, (RIESS, PLANCK, OLD), strict=True)
    )


def test_newest_most_cited_and_range_are_said_in_words():
    lines = values_of_papers("What is the value of the Hubble constant?", [OLD, RIESS, PLANCK])
    assert lines is not None
    assert lines.notes == (
        "Values of the Hubble constant, newest first.",
        "Newest: 73 ± 1 km/s/Mpc (Riess 2022).",
        "Most cited: 67.4 ± 0.5 km/s/Mpc (Planck 2020).",
        "Range: from 67.4 to 500 km/s/Mpc, 3 values from 3 papers.",
    )


def test_values_of_different_things_have_neither_a_newest_nor_a_range():
    masses = {"3 million": 1990, "7 billion": 2010, "40": 2000}
    papers = [
        Paper(mass, "A black hole", f"The mass of the black hole is {mass} solar masses.", year=year)
        for mass, year in masses.items()
    ]
    lines = values_of_papers("How heavy is a black hole?", papers)
    assert lines is not None
    assert [value.value for value in lines.values] == [3e6, 7e9, 40.0]
    assert OF_MANY in lines.notes
    assert not any(note.startswith(("Newest", "Range")) for note in lines.notes)


def test_values_that_are_all_zero_have_a_range_from_zero_to_zero():
    papers = [
        Paper(f"p{n}", "A paper", "The Hubble constant is 0 km/s/Mpc.", authors=("Doe, J.",), year=2000 + n)
        for n in range(2)
    ]
    lines = values_of_papers("What is the Hubble constant?", [*papers])
    assert lines is not None
    assert lines.notes[-1] == "Range: from 0 to 0 km/s/Mpc, 2 values from 2 papers."


def test_a_value_far_from_the_others_is_named_and_no_mean_is_made():
    others = [
        Paper(f"p{n}", "A paper", f"The Hubble constant is {70 + n} km/s/Mpc.", authors=("Doe, J.",), year=2000 + n)
        for n in range(5)
    ]
    lines = values_of_papers("What is the Hubble constant?", [OLD, *others])
    assert lines is not None
    assert lines.notes[-1] == "Far from the others: 500 km/s/Mpc (Hubble 1929)."


def test_papers_behind_the_hits_are_read_for_a_constant():
    lines = values_of_papers("How fast is the universe expanding today?", [OLD], further=[RIESS])
    assert lines is not None
    assert [value.paper_id for value in lines.values] == ["riess", "old"]


def test_the_third_value_of_a_paper_comes_behind_those_of_other_papers():
    many = Paper("many", "Cepheids", "We find H0 = 71 km/s/Mpc, H0 = 72 km/s/Mpc and H0 = 74 km/s/Mpc.", year=2024)
    lines = values_of_papers("What is the Hubble constant?", [many, PLANCK])
    assert lines is not None
    assert [value.value for value in lines.values] == [71.0, 72.0, 67.4, 74.0]


def test_no_value_is_denied_above_a_sentence_that_gives_one_of_its_kind():
    question, sentence = "What is the speed of the wind?", "The edge yields $v_\\infty = 1870 \\pm 60$ km/s."
    assert no_value_note(question, [sentence]) != no_value_note(question, ["The wind has a mass of 3 kg."])
    assert no_value_note("Why is the sky dark?", [sentence]) is None


def test_without_a_value_there_are_no_lines():
    assert values_of_papers("What is the Hubble constant?", [Paper("a", "Dust", "Dust is dusty.")]) is None
    assert values_of_papers("Why do stars shine?", [RIESS]) is None


def test_each_name_is_listed_once_before_any_is_repeated():
    papers = [
        Paper("a", "Dust", "The SKIRT code solves radiative transfer."),
        Paper("b", "Dust", "We use the radiative transfer code SKIRT."),
        Paper("c", "Dust", "Hyperion is a radiative transfer code."),
    ]
    lines = named_lines("Which radiative transfer codes are used?", hits(*papers))
    assert lines is not None
    assert [(thing.name, thing.paper_id) for thing in lines.things] == [
        ("SKIRT", "a"),
        ("Hyperion", "c"),
        ("SKIRT", "b"),
    ]
    assert [finding.paper_id for finding in lines.findings] == ["a", "c", "b"]
    assert lines.notes == ("2 names of the kind code in 3 papers.",)


def test_a_single_name_makes_no_list():
    assert named_lines("Which codes are used?", hits(Paper("a", "Dust", "The SKIRT code is fast."))) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 2 3 4 5 " * 2000,
        "1.0 ± " * 3000,
        r"$\frac{1}{2}_{3}^{4" * 1000,
        "SKIRT, RADMC, " * 1400 + "codes",
        "(" * 20000,
    ],
    ids=["empty", "digits", "errors", "broken LaTeX", "list", "brackets"],
)
def test_a_text_without_sentences_has_neither_values_nor_names(text):
    paper = Paper("a", "The Milky Way", text)
    assert values_of_papers("What is the mass of the Milky Way?", [paper]) is None
    assert named_lines("Which codes are used?", hits(paper)) is None


def test_the_age_of_the_newest_value_is_stated_where_all_values_are_old():
    newer = Paper("newer", "Dust", "Dust is dusty.", year=1960)
    lines = values_of_papers("What is the Hubble constant?", [OLD], further=[newer])
    assert lines is not None
    assert lines.notes[-1] == "The newest paper with a value is from 1929; the newest paper read is from 1960."
    young = values_of_papers("What is the Hubble constant?", [OLD], further=[Paper("b", "Dust", "Dust.", year=1959)])
    assert young is not None
    assert len(young.notes) == 1


def test_the_notes_count_papers_quoted_from_below_the_hits():
    notes = notes_on("What is the Hubble constant?", hits(OLD, PLANCK), [RIESS])
    assert notes == (
        "Quotes none of the 2 papers found and 1 ranked below them, published in 2022.",
        "Leaves out all 2 papers found: 2 in which no such value or name was recognised.",
    )
    notes = notes_on("What is the Hubble constant?", hits(OLD, PLANCK), [OLD, RIESS])
    assert notes[0].startswith("Quotes 1 of the 2 papers found and 1 ranked below them, published from 1929 to 2022")
    assert notes[1].startswith("Leaves out 1 paper: 1 in which")


def test_a_value_that_holds_today_is_not_called_old():
    webster = Paper("w", "Cygnus X-1", "Current weighings give Cygnus X-1 a mass of 21 solar masses.", year=1972)
    newer = [Paper("n", "Dust", "Dust.", year=2020)]
    lines = values_of_papers("What is the mass of Cygnus X-1?", [webster], further=newer)
    assert lines is not None
    assert not any("newest paper" in note for note in lines.notes)


def test_a_thing_with_two_names_is_listed_once():
    weinreb = Paper("a", "A line", "The molecule OH was found. The molecule hydroxyl and the molecule CN absorb.")
    lines = named_lines("Which molecules have been found?", hits(weinreb))
    assert lines is not None
    assert [thing.name for thing in lines.things] == ["OH", "CN"]
    assert lines.notes == ("2 names of the kind molecule in 1 papers.",)


def test_neither_an_author_nor_a_telescope_on_the_ground_is_a_telescope_in_space():
    text = "The Chandra telescope sees X-rays. So does the Uhuru telescope. The Giacconi telescope sees X-rays too."
    chandra = Paper("c", "The Chandra telescope sees X-rays", text, authors=("Giacconi, R.",))
    chime = Paper("d", "A burst", "The CHIME telescope saw a burst with X-rays.")
    lines = named_lines("Which space telescopes observe X-rays?", hits(chandra, chime))
    assert lines is not None
    assert {thing.name for thing in lines.things} == {"Chandra", "Uhuru"}


def test_a_line_of_a_list_comes_from_a_paper_with_most_of_the_words_that_describe_the_things():
    # "X-ray" and "sources" describe the catalogues, and "sources" alone would be half of them.
    rosat = Paper("rosat", "A bright source catalogue", "It lists 18,806 sources. All were found in X-rays.")
    radio = Paper("radio", "The third catalogue", "It lists 471 radio sources.")
    lines = [
        Excerpt(paper, 0, paper.abstract.find(".") + 1, 0.5, match) for paper, match in ((rosat, 0.4), (radio, 0.3))
    ]
    question = "What catalogues of X-ray sources exist?"
    assert [line.paper.paper_id for line in of_the_kind(question, lines)] == ["rosat"]


@pytest.mark.parametrize(
    ("question", "title", "sentence", "unnamed"),
    [
        (
            "What is the metallicity of stars in the halo of galaxies?",
            "The stellar halo",
            "The metallicity of halo stars is [Fe/H] = -1.6.",
            "galaxies",
        ),
        (
            "What is the velocity dispersion of gas in galaxies after a merger?",
            "Turbulent gas in galaxies",
            "The velocity dispersion of the gas is 50 km/s in merging galaxies.",
            "a merger",
        ),
        (
            "What is the mass of stars with planets?",
            "Hosts of exoplanets",
            "The stellar mass of the planet hosts is 1.1 Msun.",
            "stars",
        ),
        (
            "What is the spectral index of radio emission by relativistic electrons?",
            "Radio emission of supernova remnants",
            "The spectral index of the radio emission is -0.5.",
            "relativistic electrons",
        ),
        (
            "What is the mass of black holes in galaxies after mergers?",
            "Black holes",
            "The mass of black holes in galaxies is 1e8 Msun.",
            "mergers",
        ),
    ],
)
def test_a_value_that_lacks_one_of_the_questions_things_is_listed_with_a_note(question, title, sentence, unnamed):
    lines = values_of_papers(question, [Paper("a", title, sentence, year=2001)])
    assert lines is not None
    assert len(lines.values) == 1
    assert unnamed in lines.notes[-1]


def test_a_value_that_lacks_one_of_the_questions_things_is_left_out_beside_one_that_lacks_none():
    without = Paper("a", "Black holes", "The mass of black holes in galaxies is 1e8 Msun.")
    complete = Paper("b", "Mergers", "The mass of black holes in galaxies after mergers is 3e8 Msun.")
    lines = values_of_papers("What is the mass of black holes in galaxies after mergers?", [without, complete])
    assert lines is not None
    assert [value.paper_id for value in lines.values] == ["b"]


@pytest.mark.parametrize(
    ("question", "sentence", "is_stated"),
    [
        ("How many moons does Saturn have?", "Saturn has 274 moons.", True),
        ("number of planets of K2-1", "Seven planets orbit the star K2-1.", True),
        ("How many moons does Saturn have?", "Jupiter has four large moons.", False),
        ("How many moons does Saturn have?", "A moon of Saturn was found in 1944.", False),
        ("How many kinds of bursts are there?", "Bursts are short.", True),  # kinds are told otherwise
        ("Why has Saturn moons?", "It formed with them.", True),
        ("Why does the number of moons grow?", "Moons are captured.", True),
    ],
)
def test_a_count_is_told_by_a_number_beside_what_is_counted(question, sentence, is_stated):
    assert states_no_count(question, [sentence]) != is_stated
