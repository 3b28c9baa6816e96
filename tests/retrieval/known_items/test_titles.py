"""Titles typed as the question."""

from dataclasses import replace

import numpy as np
import pytest

from pathfinder.facade import Pathfinder
from pathfinder.retrieval.known_items import titles
from pathfinder.retrieval.known_items.titles import TitleMatch, another_part, is_keyword, titles_like
from pathfinder.retrieval.stages import StageLog

TITLES = (
    "Rotation of the Andromeda Nebula from a Spectroscopic Survey of Emission Regions",
    "HYPERION: an open-source parallelized three-dimensional dust continuum radiative transfer code",
    "AGN Dusty Tori. I. Handling of Clumpy Media",
    "AGN Dusty Tori. II. Observational Implications of Clumpiness",
    r"The $\Lambda$CDM model of H$_0$ and \textit{Gaia} parallaxes in Comer\'on's field",
    "Cosmology",
    "Dark matter",
    "What is the shape of the dark halo: a review of methods",
    "Galaxy Zoo in the far south: first results",
    "Galaxy Zoo in the far south: second results",
)


def like(question: str) -> tuple[str, tuple[int, ...]] | None:
    return titles_like(question, TITLES)


@pytest.mark.parametrize(
    ("question", "place"),
    [
        (TITLES[0], 0),
        (TITLES[0].lower(), 0),
        (TITLES[0].upper() + ".", 0),
        ("rotation of the andromeda-nebula, from a spectroscopic survey of emission regions", 0),
        (f"“{TITLES[2]}”", 2),
        ("the lambda cdm model of H0 and Gaia parallaxes in Comeron's field", 4),
        ("dark matter", 6),
    ],
)
def test_case_punctuation_and_markup_make_no_other_title(question, place):
    assert like(question) == (TitleMatch.WHOLE, (place,))


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("AGN dusty tori III", 2),
        ("dusty tori. 4. Observational implications", 3),
        ("AGN dusty tori", None),
        ("dusty tori. ii", None),
        ("tori III", None),
    ],
)
def test_another_part_of_a_series_is_told_apart(question: str, title: int | None):
    assert another_part(question, TITLES) == (None if title is None else TITLES[title])


def test_a_title_of_one_word_is_a_subject_unless_it_is_quoted():
    assert like("cosmology") is None
    assert like("“Cosmology”") == (TitleMatch.WHOLE, (5,))


def test_the_part_before_the_colon_is_enough_if_it_has_four_words():
    assert like("What is the shape of the dark halo?") == (TitleMatch.WITHOUT_SUBTITLE, (7,))
    assert like("HYPERION") is None


def test_a_question_with_a_subtitle_that_the_corpus_lacks_is_the_title_too():
    question = f"{TITLES[0]}: new plates"
    assert like(question) == (TitleMatch.WITHOUT_SUBTITLE, (0,))


def test_the_first_part_of_two_titles_leaves_open_which_is_meant():
    assert like("Galaxy Zoo in the far south") is None


def test_copies_of_a_title_are_all_known():
    assert titles_like("Dark Matter Halos", ("Dark matter halos", "Dark Matter Halos.")) == (TitleMatch.WHOLE, (0, 1))


@pytest.mark.parametrize(
    "question",
    [
        "Rotation of the Andromdea Nebula from a Spectroscopic Survey of Emission Regions",
        "Rotation of Andromeda Nebula from Spectroscopic Survey of Emission Regions",
        "Rotation of the Andromeda Nebula from a Spectrocopic Survey of Emision Regions",
    ],
)
def test_typing_errors_in_long_words_and_articles_left_out_are_forgiven(question):
    assert like(question) == (TitleMatch.MISTYPED, (0,))


@pytest.mark.parametrize(
    "question",
    [
        "AGN Dusty Tori. III. Handling of Clumpy Media",  # another paper of the series
        "Rotation of the Andromeda Nebula from a Spectroscopic Survey of Absorption Regions",
        "How fast does the Andromeda Nebula rotate?",
        "What do spectroscopic surveys of emission regions show about the rotation of the Andromeda Nebula?",
        "dark matter halos",
    ],
)
def test_what_is_another_title_or_a_question_is_not_taken_for_one(question):
    assert like(question) is None


@pytest.mark.parametrize(
    ("question", "is_named"),
    [
        ("Hubble's law", True),
        ("What is the Hubble law?", True),
        ("hubble LAWS", True),
        ("Hubble's law and dark energy", False),
        ("law", False),
        ("What is the?", False),
        ("type 2 galaxies", False),
        ("a type 1 galaxy", True),
    ],
)
def test_a_question_names_a_keyword_if_it_holds_its_words_and_no_others(question, is_named):
    assert is_keyword(question, ("Galaxy distances", "Hubble's law", "Type 1 galaxies")) is is_named


def test_a_keyword_that_is_borne_farther_down_names_its_paper(pf: Pathfinder, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(titles, "N_COMPARED", 1)
    keyword = next(paper.subjects[0] for paper in pf.corpus.papers if paper.subjects)
    rows = np.array([row for row, paper in enumerate(pf.corpus.papers) if not is_keyword(keyword, paper.subjects)])
    (row,) = np.setdiff1d(np.arange(len(pf.corpus.papers)), rows)[:1]
    pool = replace(pf.search("dust").candidates, rows=np.array([*rows[:3], row]), named_rows={})
    assert titles.with_titled(keyword, pool, pf.corpus.papers, StageLog()).named_rows == {row: TitleMatch.KEYWORD}
    long = f"{keyword} {'and so on ' * 4}"
    assert titles.with_titled(long, pool, pf.corpus.papers, StageLog()).named_rows == {}


def test_words_of_one_title_name_its_paper(pf: Pathfinder):
    def named(question: str) -> list[str]:
        return [hit.paper.paper_id for hit in pf.search(question).hits if hit.known_as is not None]

    (paper_id,) = named("Fast and Scalable Gaussian Process Modeling with Applications to Astronomical Time Series")
    assert named("scalable Gaussian process modeling") == [paper_id]
    assert named("Gaussian modeling of a scalable process") == []


def test_a_title_in_quotation_marks_within_a_question_names_its_paper(pf: Pathfinder):
    title = next(paper.title for paper in pf.corpus.papers if len(paper.title.split()) > 3)
    result = pf.search(f'In the "{title}" paper, which telescope was used?')
    assert (result.hits[0].paper.title, result.hits[0].known_as) == (title, TitleMatch.WHOLE)
    assert not pf.search(f"Which telescope was used in {title}?").candidates.named_rows
