"""What a question names is relevant, however little else in the corpus is like it."""

from dataclasses import replace

import pytest

from pathfinder.answering.answer import DOUBT
from pathfinder.assessment.assess import assess
from pathfinder.facade import Pathfinder
from pathfinder.types import AnswerRequest, ModeName


@pytest.mark.parametrize(
    ("question", "known_as"),
    [
        ("Interstellar medium", "keyword"),
        ("What is LIGO?", "keyword"),
        ("riess-2022", "paper id riess-2022"),
        ("Synthesis of the Elements in Stars", "title"),
        ("media between stars", None),
    ],
)
def test_only_a_named_paper_is_relevant_whatever_the_decision_says(pf: Pathfinder, question: str, known_as: str | None):
    corpus = pf.corpus
    strict = replace(pf._relevance, both=replace(pf._relevance.both, intercept=-100.0))
    result = assess(pf.search(question), corpus.sparse, pf._calibration, strict)
    assert result.assessment is not None
    assert result.assessment.is_relevant == (known_as is not None)
    assert result.hits[0].known_as == known_as


def test_a_keyword_of_many_papers_names_none_of_them_and_is_relevant(pf: Pathfinder):
    result = assess(pf.search("Exoplanets"), pf.corpus.sparse, pf._calibration, replace(pf._relevance, threshold=1.0))
    assert not any(hit.known_as for hit in result.hits)
    assert result.assessment is not None
    assert result.assessment.is_relevant


@pytest.mark.parametrize(("threshold", "is_doubtful"), [(0.5, False), (1.0, True)])
def test_below_the_threshold_of_its_corpus_a_question_is_answered_with_a_doubt(
    pf: Pathfinder, threshold: float, is_doubtful: bool
):
    found = pf.search("media between stars")
    result = assess(found, pf.corpus.sparse, pf._calibration, replace(pf._relevance, threshold=threshold))
    assert result.assessment is not None
    assert (result.assessment.is_relevant, result.assessment.is_doubtful) == (True, is_doubtful)
    answer = pf.answer(result, AnswerRequest(generation=ModeName.EXTRACTIVE))
    assert not answer.abstained
    assert (DOUBT in answer.notes) == is_doubtful
