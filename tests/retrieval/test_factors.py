"""A ranking factor that another package brings: on the page, in links, in `--help` and in results."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pathfinder import Pathfinder, Weighting
from pathfinder.cli.options import question_options
from pathfinder.operations.search import search_record
from pathfinder.retrieval.explanation.counterfactual import smallest_changes
from pathfinder.retrieval.explanation.waterfall import describe_parts, waterfall
from pathfinder.retrieval.factors import FACTORS, OWN_FACTORS, factor_settings
from pathfinder.ui.shared.address import Form, from_parameters, to_parameters

SOURCE = """
import numpy as np
from pathfinder.retrieval.factors import RankingFactor

PATHFINDER_API = 1


def measure(pool):
    return np.array([len(paper.title) % 2 for paper in pool.candidates.papers], dtype=float)


even = RankingFactor("even", "odd titles", "Favours odd titles.", "length of the title mod 2", measure=measure)
"""


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    info = tmp_path / "evens-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: evens\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pathfinder.ranking_factors]\neven = evens:even\n")
    (tmp_path / "evens.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    before = dict(FACTORS.__dict__)
    FACTORS.__dict__.pop("_declarations", None)
    FACTORS.__dict__["_loaded_extensions"] = {}
    yield
    FACTORS.__dict__.clear()
    FACTORS.__dict__.update(before)
    sys.modules.pop("evens", None)


def test_every_factor_has_a_name_a_link_and_an_option_of_its_own():
    settings = factor_settings()
    for names in zip(*((s.name, s.link, s.option) for s in settings), strict=True):
        assert len(set(names)) == len(OWN_FACTORS)


def test_a_strength_of_no_field_is_kept_beside_the_others():
    weighting = Weighting(keywords=0.5).with_strength("novelty", 0.25)
    assert weighting == Weighting(keywords=0.5, extra={"novelty": 0.25})
    assert weighting.strengths["novelty"] == 0.25
    assert not Weighting(extra={"novelty": 0.25}).is_off
    assert Weighting(extra={"novelty": 0.25}).with_strength("keywords", 1).keywords == 1


@pytest.mark.usefixtures("plug_in")
def test_a_factor_of_a_plug_in_moves_papers_and_is_shown_wherever_the_others_are(pf: Pathfinder):
    weighting = Weighting(rerank=0, extra={"even": 1.0})
    result = pf.search("What is the value of the Hubble constant?", top_k=4, weighting=weighting)
    assert {len(hit.paper.title) % 2 for hit in result.hits[:2]} == {1}
    hit = result.hits[0]
    assert search_record(result)["hits"][0]["score"]["even"] == hit.score.weight("even") == 1.0
    assert "odd titles 1.00" in describe_parts(hit.score, weighting)
    assert "odd titles 1.00 at strength 1" in waterfall(hit, weighting).steps[-1].description
    position = int(np.flatnonzero(result.candidates.rows == hit.row)[0])
    off = weighting.with_strength("even", 0.0)
    assert isinstance(smallest_changes(result.candidates, off, position, 1).description, str)
    assert "even 1" in next(stage.ran for stage in result.stages if stage.name == "weighting")


QUESTION = "What is the value of the Hubble constant?"
BROKEN = [
    ("measure=lambda pool: 1 / 0", "ZeroDivisionError: division by zero"),
    ("measure=lambda pool: measure(pool)[1:]", "it must return one value for each"),
    ("measure=lambda pool: 40 * measure(pool)", "gave a paper the value 40: a weight must lie in [0, 1]"),
    ("measure=lambda pool: -measure(pool)", "gave a paper the value -1: a weight must lie in [0, 1]"),
    ("measure=measure, weights=lambda c, w: 2 + 0 * c.signal('even')", "the value 2: a weight must lie in [0, 1]"),
    ("measure=measure, weights=lambda c, w: {}['even']", "KeyError: 'even'"),
]


@pytest.mark.parametrize(("source", "reason"), BROKEN)
@pytest.mark.usefixtures("plug_in")
def test_a_factor_of_a_plug_in_that_fails_is_named_in_a_note_and_left_out(
    pf: Pathfinder, tmp_path: Path, source: str, reason: str
):
    (tmp_path / "evens.py").write_text(SOURCE.replace("measure=measure", source))
    plain = pf.search(QUESTION, top_k=4, weighting=Weighting(rerank=0))
    result = pf.search(QUESTION, top_k=4, weighting=Weighting(rerank=0, extra={"even": 1.0}))
    assert [hit.score.final for hit in result.hits] == [hit.score.final for hit in plain.hits]
    (note,) = set(result.notes) - {note for note in plain.notes if "'even'" not in note}
    assert note.startswith("plug-in 'even' of evens (pathfinder.ranking_factors) was left out: ")
    assert reason in note
    assert all(hit.score.weight("even") is None for hit in result.hits)


def test_a_factor_of_pathfinder_itself_that_fails_is_an_error(pf: Pathfinder, monkeypatch: pytest.MonkeyPatch):
    broken = replace(FACTORS.get("title_match"), measure=lambda pool: pool.no_such_field)
    monkeypatch.setitem(FACTORS.__dict__["_loaded_extensions"], "title_match", broken)
    with pytest.raises(AttributeError, match="no_such_field"):
        pf.search(QUESTION)


@pytest.mark.usefixtures("plug_in")
def test_a_factor_of_a_plug_in_has_an_option_and_a_link_before_it_is_loaded():
    options = question_options(needs_question=True)
    assert "strength_even" in options
    assert "evens" not in sys.modules
    form = Form("stars").with_search(weighting=Weighting(extra={"even": 0.5}))
    assert to_parameters(form) == ({"q": "stars", "w-even": "0.5"}, None)
    assert from_parameters({"q": "stars", "w-even": "0.5"}) == (form, ())


def test_a_link_to_a_factor_that_is_not_installed_is_ignored_with_a_note():
    form, notes = from_parameters({"q": "stars", "w-even": "0.5"})
    assert form == Form("stars")
    assert notes == ("the link's setting 'w-even' is unknown and was ignored",)
