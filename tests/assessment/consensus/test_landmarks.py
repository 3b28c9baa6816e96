"""Consensus over time in the corpus that ships with Pathfinder: real papers and years, and stances that depend on the
year alone.
"""

import json
from pathlib import Path

import pytest

from pathfinder import Pathfinder
from pathfinder.models.fake import ScriptedChat
from pathfinder.settings import Settings
from pathfinder.types import ConsensusLevel
from tests.assessment.consensus.literature import SOURCE, opinion_reply

QUESTION = "Does the expansion of the universe accelerate?"
N_PAPERS = 60
FLIP = 1998
"""Year from which the model says that every paper supports the statement."""


@pytest.fixture(scope="module")
def landmarks(landmarks_corpus: Path) -> Pathfinder:
    return Pathfinder.open(landmarks_corpus, settings=Settings(_env_file=None))


def by_year(stance):
    """Make a model whose stances are `stance(year)`, each with the beginning of the abstract as the quote."""

    def reply(prompt):
        if "<statement>" not in prompt:
            return opinion_reply()
        entries = [
            {"key": key, "stance": stance(int(year)), "quote": " ".join(text.split()[:5])}
            for key, _, year, text in SOURCE.findall(prompt)
        ]
        return json.dumps({"stances": entries})

    return ScriptedChat(reply)


def over_time(landmarks, stance, **options):
    pf = landmarks.with_chat(by_year(stance))
    return pf.consensus_over_time(pf.search(QUESTION, top_k=5), n_papers=N_PAPERS, **options)


def test_as_of_a_year_before_the_first_landmark_nothing_can_be_told(landmarks):
    history = over_time(landmarks, lambda _: "supports", as_of=1500)
    assert (history.years, history.stances, history.changed_in) == ((), (), None)


def test_the_year_in_which_the_landmarks_change_their_mind_is_found(landmarks):
    history = over_time(landmarks, lambda year: "supports" if year >= FLIP else "refutes")
    years = [paper.year for paper in history.papers]
    assert len(history.stances) == N_PAPERS
    assert min(years) < FLIP <= max(years)
    # The first paper with a different stance may be from a later year.
    assert history.changed_in == min(year for year in years if year >= FLIP)
    assert (history.before, history.after) == (ConsensusLevel.STRONG_DISAGREEMENT, ConsensusLevel.STRONG_AGREEMENT)
    assert history.p_value < 0.001


def test_as_of_a_year_no_later_landmark_is_read(landmarks):
    history = over_time(landmarks, lambda year: "supports" if year >= FLIP else "refutes", as_of=1995)
    assert max(paper.year for paper in history.papers) <= 1995
    assert history.changed_in is None
