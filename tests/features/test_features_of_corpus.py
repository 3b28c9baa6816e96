"""The features of the corpus that ships, as a reader meets them: command line, cards, the page and the map."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.cli.app import main
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.settings import Settings


@pytest.fixture(scope="module")
def landmarks(landmarks_corpus):
    return Pathfinder.open(landmarks_corpus, settings=Settings(_env_file=None))


def test_a_build_makes_27_features_of_675_papers_and_names_some(landmarks):
    all_features = landmarks.features()
    assert len(all_features) == len(landmarks.corpus.papers) // 25
    named_features = [each for each in all_features if each.is_named]
    assert len(named_features) >= 5
    assert all(each.auc >= 0.8 for each in named_features)
    assert all(each.name is None for each in all_features if each not in named_features)


def test_a_card_has_the_papers_in_which_the_feature_is_most_active_and_a_place(landmarks):
    first = landmarks.features()[0]
    card = landmarks.feature_card(first.name, n_papers=3)
    assert card.feature == first
    strengths = [strength for _, strength in card.papers]
    assert len(strengths) == 3
    assert strengths == sorted(strengths, reverse=True)
    assert card.place is not None


def test_the_command_lists_features_for_programs_and_readers(landmarks, capsys):
    folder = str(landmarks.corpus.folder)
    assert main(["features", folder, "--json"]) == 0
    records = json.loads(capsys.readouterr().out)["features"]
    assert len(records) == len(landmarks.features())
    first = landmarks.features()[0]
    assert (records[0]["name"], records[0]["auc"]) == (first.name, first.auc)
    assert [set(paper) for paper in records[0]["papers"]] == [
        {"paper_id", "title", "year", "status", "is_summary", "activation"}
    ] * 3
    assert main(["features", folder]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{first.name}: {first.n_papers} papers, AUC {first.auc:.2f}"
    assert "have no name" in lines[-1]
    assert main(["features", folder, first.name]) == 0
    assert capsys.readouterr().out.startswith(lines[0])


def test_an_unknown_feature_is_a_usage_error_on_the_command_line(landmarks, capsys):
    assert main(["search", "stars", "--corpus", str(landmarks.corpus.folder), "--steer", "no such thing=0.5"]) == 2
    assert "no feature of this corpus is called 'no such thing'" in capsys.readouterr().err


def test_a_small_corpus_says_why_it_has_no_features(pf):
    with pytest.raises(UsageError, match="at least 250 papers"):
        pf.features()


PAGE = """
import streamlit as st
from pathfinder.facade import Pathfinder
from pathfinder.settings import Settings
from pathfinder.types import Weighting
from pathfinder.ui.settings import controls

pf = Pathfinder.open({folder!r}, settings=Settings(_env_file=None))
st.session_state["read"] = controls.read_weights(Weighting(steers={steers!r}), "off", pf.corpus)
"""


def sidebar(landmarks, steers):
    page = AppTest.from_string(PAGE.format(folder=str(landmarks.corpus.folder), steers=steers))
    page.session_state["more-weights"] = True
    return page


def test_a_reader_picks_features_by_name_and_moves_their_sliders(landmarks):
    first, second = (each.name for each in landmarks.features()[:2])
    page = sidebar(landmarks, ()).run()
    page.multiselect(key="steers").set_value([first, second]).run()
    page.slider(key=f"steer-{second}").set_value(-0.25).run()
    assert dict(page.session_state["read"].steers) == {first: 0.5, second: -0.25}


def test_a_feature_of_another_corpus_can_be_removed(landmarks):
    page = sidebar(landmarks, (("no such thing", 0.3),)).run()
    assert page.session_state["read"].steers == (("no such thing", 0.3),)
    page.multiselect(key="steers").set_value([]).run()
    assert page.session_state["read"].steers == ()
