"""Judges whether a quoted line answers a question, by a fitted probability.

The model is a logistic regression over first questions of visitors to the demo corpus. Each was asked twice: of the
whole corpus, and of the corpus without the papers that belong to it, so that what is then quoted is near the subject
and beside the point. `benchmarks/judgement.py` fits it; `benchmarks/FIRST_QUESTIONS.md` says what it tells apart.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import resources
from itertools import pairwise

import numpy as np
from pydantic import TypeAdapter

from pathfinder.answering.assessment.relevance import LogisticRule
from pathfinder.answering.digest.lines import Excerpt
from pathfinder.answering.digest.scoring import share_of_subjects, subjects_of
from pathfinder.index.words import INDEX_STOP_WORDS, QUESTION_STOP_WORDS, stems, words
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

_COMPARED = re.compile(
    r"\b(?:differences?\s+between|compare|contrast|distinguish)\s+(.+?)\s+(?:and|with|from|to)\s+(.+)|"
    r"(.+?)\s+(?:versus|vs\.?|as\s+opposed\s+to)\s+(.+)|"
    r"\bhow\s+do(?:es)?\s+(.+?)\s+(?:differ\s+from|compare\s+(?:to|with))\s+(.+)|"
    r"(.+?)\s+(?:and|or)\s+(.+?)\W+(?:what(?:'s|\s+is)\s+the\s+)?difference|"
    r"^(?!(?:is|are|was|were|do|does|did|can|could|has|have|wh\w+|how)\b)((?:[\w-]+\s+){1,4})or\s+((?:[\w-]+\W*){1,4})$",
    re.IGNORECASE,
)
"""Two things that a question sets side by side: "A versus B", "A or B"."""
MOST_SIGNS_COMPARED = 300
"""Length of a question above which it is not read as a comparison: a pasted text would take long."""
_TYPE_2 = re.compile(r"\b(types?) 2\b", re.IGNORECASE)
_BEHIND_A_SIDE = re.compile(r"[,;:?(]|\s(?:in|for|at|on|as|when|which|that|with|by)\s", re.IGNORECASE)


def sides_lacking(question: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the sides that `question` compares and that none of `texts` has; of words that both sides have, only one
    beside a side's own counts: "type II", "asteroid belt".
    """
    match = _COMPARED.search(question) if len(question) <= MOST_SIGNS_COMPARED else None
    sides = [_BEHIND_A_SIDE.split(side.strip())[0].strip() for side in match.groups() if side] if match else []
    said = [stems(words(_TYPE_2.sub(r"\1 II", text)), INDEX_STOP_WORDS) for text in texts]

    def has(text: Sequence[str], side: Sequence[str], other: Sequence[str]) -> bool:
        pairs = {pair for pair in pairwise(side) if (pair[0] in other) != (pair[1] in other)}
        return {*side} <= {*text, *other} and pairs <= {*pairwise(text)}

    own = [stems(words(side), QUESTION_STOP_WORDS) for side in sides]
    compared = zip(sides, own, reversed(own), strict=True)
    return tuple(
        name
        for name, side, other in compared
        if {*side} - {*other} and not any(has(text, side, other) for text in said)
    )


_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_OF_PAPERS = frozenset(
    "article articles describe discuss list paper papers recent report result results review".split()
)
"""Words about papers, which no line of one need have."""


def words_lacking(question: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Return the sides that `question` compares, or else its first words that name subjects, that none of `texts` has:
    those of a question that has no answer here, or of a false premise.
    """
    texts = [*texts]
    if sides := sides_lacking(question, texts):
        return sides
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
