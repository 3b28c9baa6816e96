import json
from pathlib import Path

import pytest

from pathfinder.answering.assessment.fidelity import check_fidelity
from pathfinder.types import FactKind

REWRITES = json.loads(Path(__file__).with_name("retold.json").read_text(encoding="utf-8"))
ORIGINAL: str = REWRITES["original"]
FAITHFUL = {rewrite["name"]: (rewrite["language"], rewrite["text"]) for rewrite in REWRITES["retold"]}
"""Language and text of faithful rewrites, written by hand."""
IN_LATEX = (
    r"The mass is $2.1 \times 10^{12}\,M_\odot$ within 20~kpc of NGC 1068 [1]. "
    r"The rate of $\sim 2$ mag per year was not seen at $z < 0.5$ [2]."
)


@pytest.mark.parametrize("digits", ["07", "५", "٥", "０５", "000", "1, 01, 5"])
@pytest.mark.parametrize("rewrite", ["The disc is warped [{}].", "डिस्क टेढ़ी है [{}]।", "圆盘是弯曲的[{}]。"])
def test_a_mark_in_whatever_digits_is_compared_by_its_number(digits, rewrite):
    fidelity = check_fidelity("The disc is warped [1].", rewrite.format(digits))
    additions = [change for change in fidelity.added if change.kind is FactKind.CITATION]
    assert [change.text for change in additions] == [f"[{digits}]"]


@pytest.mark.parametrize("mark", ["[1]", "[01]", "[१]", "[١]"])
def test_the_same_number_in_other_digits_is_the_same_citation(mark):
    fidelity = check_fidelity("The disc is warped [1].", f"The disc is warped {mark}.")
    assert fidelity.is_faithful


PLANTED_LOSSES = [
    ("number", "73.2", "72.3"),
    ("number", "73.2", "73"),
    ("number", "± 1.3 ", ""),
    ("number", "± 1.3", "± 1.8"),
    ("number", "19 galaxies", "91 galaxies"),
    ("number", "19 galaxies", "many galaxies"),
    ("number", "1,000", "1,001"),
    ("number", "1,000", "10,000"),
    ("number", "more than 1,000", "less than 1,000"),
    ("number", "more than 1,000", "1,000"),
    ("number", "5%", "50%"),
    ("unit", "73.2 ± 1.3 km/s/Mpc", "73.2 ± 1.3 km/s"),
    ("unit", "km s^-1 Mpc^-1", "m s^-1 Mpc^-1"),
    ("unit", "km s^-1 Mpc^-1", "km s^-1"),
    ("unit", "13.8 Gyr", "13.8 Myr"),
    ("unit", "13.8 Gyr", "13.8"),
    ("unit", "5%", "5"),
    ("name", "Riess", "Reiss"),
    ("name", "Riess et al.", "Others"),
    ("name", "SH0ES", "SHOES"),
    ("name", "Planck", "WMAP"),
    ("name", "Hubble Space Telescope", "James Webb Space Telescope"),
    ("name", "Cepheids", "stars"),
    ("negation", "does not agree", "agrees"),
    ("negation", "No new physics is", "New physics is"),
    ("citation", " [2]. Riess", " [1]. Riess"),
    ("citation", "[1, 3]", "[1]"),
    ("citation", "galaxies [1]", "galaxies [4]"),
    ("citation", " [2]. Riess", ". Riess"),
    ("citation", "5% [3]", "5%"),
]


def changes(fidelity):
    return [(change.kind.value, change.text, change.reason) for change in (*fidelity.lost, *fidelity.added)]


@pytest.mark.parametrize(("kind", "before", "after"), PLANTED_LOSSES)
def test_every_planted_loss_is_caught_and_named(kind, before, after):
    new_text = ORIGINAL.replace(before, after, 1)
    assert new_text != ORIGINAL
    assert FactKind(kind) in {change.kind for change in check_fidelity(ORIGINAL, new_text).lost}


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("number", r"2.1 \times", r"2.2 \times"),
        ("number", "10^{12}", "10^{13}"),
        ("unit", r"M_\odot", r"L_\odot"),
        ("unit", "20~kpc", "20~pc"),
        ("unit", "$ mag", "$ dex"),
        ("number", "1068", "1086"),
        ("negation", "was not", "was"),
        ("number", "z < 0.5", "z > 0.5"),
    ],
)
def test_a_loss_in_mathematics_is_caught(kind, before, after):
    new_text = IN_LATEX.replace(before, after, 1)
    assert FactKind(kind) in {change.kind for change in check_fidelity(IN_LATEX, new_text).lost}


@pytest.mark.parametrize(
    ("kind", "after"),
    [
        ("number", "It has 42 moons [1]. "),
        ("name", "As Einstein said, so it is [1]. "),
        ("citation", "So it is [7]. "),
        ("unit", "It is 19 kpc away [1]. "),
        ("negation", "This is not so [1]. "),
    ],
)
def test_what_was_added_is_marked_where_it_stands(kind, after):
    new_text = ORIGINAL.replace("Planck", after + "Planck", 1)
    additions = [change for change in check_fidelity(ORIGINAL, new_text).added if change.kind.value == kind]
    assert additions
    assert all(new_text[change.start : change.end] == change.text for change in additions)


@pytest.mark.parametrize("text", [ORIGINAL, IN_LATEX, "", "[1]", "Dust.", *(text for _, text in FAITHFUL.values())])
def test_an_untouched_text_raises_nothing(text):
    assert changes(check_fidelity(text, text)) == []


@pytest.mark.parametrize(("language", "text"), FAITHFUL.values(), ids=FAITHFUL)
def test_a_faithful_rewrite_raises_nothing(language, text):
    assert changes(check_fidelity(ORIGINAL, text, language)) == []


@pytest.mark.parametrize("name", ["in Spanish", "in French", "in German", "in Hindi", "in Chinese"])
@pytest.mark.parametrize(
    ("kind", "place"), [("number", "19"), ("citation", " [1, 3]"), ("name", "SH0ES"), ("unit", "km/s/Mpc")]
)
def test_a_loss_is_caught_in_any_language(name, kind, place):
    language, text = FAITHFUL[name]
    assert FactKind(kind) in {
        change.kind for change in check_fidelity(ORIGINAL, text.replace(place, "", 1), language).lost
    }


@pytest.mark.parametrize(
    ("name", "negation", "plain"),
    [
        ("in Spanish", "lo cual no concuerda", "lo cual concuerda"),
        ("in French", "ce qui ne s'accorde pas", "ce qui s'accorde"),
        ("in German", "was nicht übereinstimmt", "was übereinstimmt"),
        ("in Hindi", "सहमत नहीं है", "सहमत है"),
        ("in Chinese", "两者不一致", "两者一致"),
    ],
)
def test_a_lost_negation_is_caught_in_the_languages_that_are_known(name, negation, plain):
    language, text = FAITHFUL[name]
    losses = check_fidelity(ORIGINAL, text.replace(negation, plain), language).lost
    assert [change.text for change in losses if change.kind is FactKind.NEGATION] == ["not"]


def test_of_a_language_that_is_not_known_negations_are_not_compared_and_that_is_said():
    new_text = ORIGINAL.replace("does not agree", "stämmer").replace("19", "91")
    fidelity = check_fidelity(ORIGINAL, new_text, "Swedish")
    assert {change.kind for change in fidelity.lost} == {FactKind.NUMBER}
    (note,) = fidelity.not_compared
    assert "negations" in note
    assert "does not know Swedish" in note


def test_a_translation_says_that_translated_names_may_be_marked():
    (note,) = check_fidelity(ORIGINAL, FAITHFUL["in Spanish"][1], "Spanish").not_compared
    assert "a name that was translated may be marked" in note


def test_a_number_that_changed_its_paper_is_marked():
    swapped_text = ORIGINAL.replace("[1].", "[x].").replace("[2].", "[1].").replace("[x].", "[2].")
    reasons = [change.reason for change in check_fidelity(ORIGINAL, swapped_text).lost]
    assert "cited [1] in the original, cites [2] in the new text" in reasons


def test_the_bare_sentences_of_two_papers_cannot_change_places():
    original, swapped_text = "It grows [1]. It shrinks [2].", "It grows [2]. It shrinks [1]."
    assert [change.kind for change in check_fidelity(original, swapped_text).lost] == [FactKind.CITATION] * 2


def test_each_loss_is_marked_where_it_stands():
    losses = check_fidelity(ORIGINAL, "Nothing of it.").lost
    assert all(ORIGINAL[change.start : change.end] == change.text for change in losses)
    assert {change.kind for change in losses} >= {FactKind.NUMBER, FactKind.NAME, FactKind.CITATION}


def test_an_invented_mark_is_no_citation():
    assert changes(check_fidelity("Dust is cold [1].", "Dust is cold [1] [9?].")) == []


@pytest.mark.parametrize(
    ("original", "rewrite"),
    [
        ("Bursts last 5 ms [1].", "Bursts last 5 milliseconds [1]."),
        ("It is 42 microarcseconds wide [1].", "It is 42 μas wide [1]."),
        (r"It has $3\,M_\odot$ [1].", "It has 3 solar masses [1]."),
        ("It was seen for 20 years [1].", "It was seen over 20 years [1]."),
    ],
)
def test_other_words_for_a_unit_change_nothing(original, rewrite):
    assert check_fidelity(original, rewrite).lost == check_fidelity(original, rewrite).added == ()


@pytest.mark.parametrize(
    ("original", "rewrite", "kind"),
    [
        ("It is 42 microarcseconds wide [1].", "It is 42 milliarcseconds wide [1].", FactKind.UNIT),
        ("It is 230 pc away [1].", "It is more than 230 pc away [1].", FactKind.NUMBER),
    ],
)
def test_another_unit_or_a_bound_that_was_not_there_is_marked(original, rewrite, kind):
    assert kind in {change.kind for change in check_fidelity(original, rewrite).added}


@pytest.mark.parametrize("number", ["9" * 400, "10^500 kpc", "1e400 m", "10^-999 Mpc"])
def test_a_number_beyond_all_bounds_is_the_same_as_itself(number):
    fidelity = check_fidelity(f"It is {number} [1].", f"It is {number} [1].")
    assert (fidelity.lost, fidelity.added) == ((), ())
