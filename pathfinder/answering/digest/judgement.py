"""Judges whether a quoted line answers a question, by a fitted probability.

The model is a logistic regression over first questions of visitors to the demo corpus. Each was asked twice: of the
whole corpus, and of the corpus without the papers that belong to it, so that what is then quoted is near the subject
and beside the point. `benchmarks/judgement.py` fits it; `benchmarks/FIRST_QUESTIONS.md` says what it tells apart.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources

import numpy as np
from pydantic import TypeAdapter

from pathfinder.answering.assessment.relevance import LogisticRule
from pathfinder.answering.digest.lines import Excerpt
from pathfinder.answering.digest.scoring import share_of_subjects, subjects_of
from pathfinder.text.sentences import split_sentences
from pathfinder.text.strict_json import from_json
from pathfinder.types import Floats

PREDICTORS = ("token match", "meaning", "weight of subjects", "about")
"""The first three are those of the line; the last is the share of the question's subjects in the title, the subjects
and the first sentence of its paper, because what is mentioned further down is not what a paper is about.
"""

MODEL_FILE = "judgement.json"

LEAST_PROBABILITY = 0.35
"""Probability below which a line does not answer."""


def predictors_of(question: str, line: Excerpt) -> Floats:
    """Return `PREDICTORS`, shape (4,)."""
    first = next(iter(split_sentences(line.paper.abstract)), "")
    about = share_of_subjects(question, " ".join((line.paper.title, *line.paper.subjects, first)))
    return np.array([line.token_match, line.meaning, np.log1p(line.subject_weight), about])


NEAR = 0.5
"""Token match at which a line of a paper about the single subject of a question answers: a subject that most hits have
weighs little, however well they cover it.
"""


def answers(question: str, line: Excerpt) -> bool:
    """Return whether `line` probably answers `question`."""
    predictors = predictors_of(question, line)
    is_about_one = len(subjects_of(question)) == 1 and predictors[-1] == 1
    return (is_about_one and line.token_match >= NEAR) or fitted().probability(predictors) >= LEAST_PROBABILITY


MOST_NAMED = 3
"""Maximum number of words named that the lines lack."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_OF_PAPERS = frozenset(
    "article articles describe discuss list paper papers recent report result results review".split()
)
"""Words about papers, which no line of one need have."""


def words_lacking(question: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the first words that name subjects of `question` and that none of `texts` has: those of a question that
    has no answer here, or of a false premise.
    """
    said = " ".join(texts)
    asked = dict.fromkeys(
        word
        for word in _WORD.findall(question)
        if subjects_of(word) and not word.isdigit() and word.lower() not in _OF_PAPERS
    )
    return tuple(word for word in asked if share_of_subjects(word, said) < 1)[:MOST_NAMED]


@lru_cache(maxsize=1)
def fitted() -> LogisticRule:
    """Return the model that ships with the package."""
    text = resources.files(__package__).joinpath(MODEL_FILE).read_text(encoding="utf-8")
    return from_json(TypeAdapter(LogisticRule), text, "the model that judges lines")
