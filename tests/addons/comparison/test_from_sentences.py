"""Cells without a chat model: sentences and values of the papers."""

from pathfinder.addons.comparison.comparison import DEFAULT_COLUMNS, cells_of, numbers_in, read_columns
from pathfinder.models.minilm import MiniLM
from pathfinder.types import Paper

BACKGROUND = "Discs around young stars are the places where planets form."
SAMPLE = "We observed a sample of 120 discs in Lupus with ALMA at 1.3 mm."
METHOD = "Radiative transfer models are fitted to the visibilities using a Monte Carlo approach."
RESULT = "We find that a third of the discs have gaps, with a mean radius of 40 ± 5 au."
LIMITATION = "The masses remain uncertain, because the assumed opacities are not yet measured."
PAPER = Paper("discs", "Gaps in discs", f"{BACKGROUND} {SAMPLE} {METHOD} {RESULT} {LIMITATION}")


def cells(paper: Paper, *names: str) -> list[str | None]:
    found_cells = cells_of(paper, read_columns(names), MiniLM())
    return [cell and cell.text for cell in found_cells]


def test_each_role_has_the_sentence_that_plays_it() -> None:
    assert cells(PAPER, *DEFAULT_COLUMNS) == [SAMPLE, METHOD, RESULT, LIMITATION]


def test_a_cell_is_empty_where_no_sentence_suits_the_column() -> None:
    bare = Paper("bare", "Discs", BACKGROUND)
    assert cells(bare, "limitation", "method", "value of the Hubble constant") == [None, None, None]
    assert cells(Paper("title", "A title alone", ""), "result") == [None]


def test_the_result_is_the_papers_own_value_and_a_time_is_no_sample() -> None:
    own = "The final Hubble constant of the project is 72 ± 8 km/s/Mpc."
    others = "It ended the controversy between values of 50 and 100 km/s/Mpc."
    inverse = "The inverse of the Hubble constant becomes about 13 x 10^9 years."
    text = f"{own} Cepheids calibrate five indicators. {inverse} {others}"
    assert cells(Paper("h0", "A constant", text), "sample", "result") == [None, own]
    assert numbers_in(others) == ()


def test_another_column_has_the_sentence_with_its_words_or_else_the_closest_one() -> None:
    assert cells(PAPER, "opacities") == [LIMITATION]
    assert cells(PAPER, "chocolate cake") == [None]


def test_a_quantity_has_its_value_and_the_sentence_that_states_it() -> None:
    text = "Distances are hard. We measure a Hubble constant of 73.0 ± 1.0 km/s/Mpc with Cepheids."
    (cell,) = cells_of(Paper("h0", "Cepheids", text), read_columns(["value of the Hubble constant"]), MiniLM())
    assert cell is not None
    assert cell.text == "73.0 ± 1.0 km/s/Mpc"
    assert cell.quotation == "We measure a Hubble constant of 73.0 ± 1.0 km/s/Mpc with Cepheids."
    assert (cell.verdict, cell.doubt) == (None, None)


def test_numbers_are_those_with_a_unit_or_an_uncertainty() -> None:
    assert numbers_in(RESULT) == ("40 ± 5 au",)
    assert numbers_in("We list three of 12 stars.") == ()
