"""The questions offered before anything has been asked."""

from pathlib import Path

import pytest

from pathfinder.facade import Pathfinder
from pathfinder.ui.examples import examples
from tests.building.conftest import GALAXIES, PLANETS
from tests.ui.test_pages import corpus_of


def test_examples_of_the_field_that_do_not_fit_the_papers_give_way_to_their_keywords(pf: Pathfinder) -> None:
    own = examples(pf)
    assert own[0] == pf.profile.examples[0]
    assert "¿Qué es un exoplaneta?" not in own
    assert "What is known about galaxies?" in own


@pytest.mark.build
def test_a_library_about_something_else_is_asked_about_its_own_papers(tmp_path: Path) -> None:
    own = examples(Pathfinder.open(corpus_of(tmp_path, GALAXIES, PLANETS)))
    assert own
    assert all("galax" in each.lower() or "planet" in each.lower() for each in own), own


@pytest.mark.build
def test_no_question_is_suggested_that_the_papers_do_not_answer(tmp_path: Path) -> None:
    told = {**GALAXIES, "abstract": "Dust and more dust was seen in dusty places.", "keywords": ["warp drives"]}
    other = {**PLANETS, "abstract": "Nothing was measured.", "keywords": ["warp drives"]}
    pf = Pathfinder.open(corpus_of(tmp_path, told, other))
    suggested = [each for each in examples(pf) if each.endswith("?")]
    answers = [pf.answer(pf.search(each)) for each in suggested]
    assert not [each.text for each in answers if each.abstained or (each.digest and each.digest.is_weak)]
