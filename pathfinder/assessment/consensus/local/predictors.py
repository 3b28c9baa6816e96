"""Cheap predictors that show how well a paper's sentences match a statement, and signs that they contradict it.

The score of a sentence is half its cosine with the statement plus half the share of the statement's words in it,
weighted by rarity. The statement's direction words ("increased", "lower") and negations are compared with those of the
three highest-scoring sentences.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.types import Floats

PREDICTORS = (
    "best cosine",
    "mean cosine of 3",
    "cosine of the title",
    "mean cosine",
    "best coverage",
    "coverage of all",
    "coverage of the title",
    "best worth",
    "best worth over the mean",
    "rarest word missing",
    "negation differs",
    "direction agrees",
    "falls where it should rise",
    "rises where it should fall",
    "direction agrees, by worth",
    "negation agrees, by worth",
    "shared rising words",
    "shared falling words",
    "rising words missing",
    "falling words missing",
    "numbers missing",
)

N_BEST = 3

_NEGATION = re.compile(
    r"\b(?:no|not|never|without|nor|neither|cannot|lack\w*|fail\w*|absen\w+|unaffected|unchanged|independent\w*|"
    r"unrelated|little)\b",
    re.IGNORECASE,
)
_RISES = re.compile(
    r"\b(?:increas|high|elevat|enhanc|promot|activat|up-?regulat|induc|improv|greater|more|rais|stimulat|accelerat|gain|"
    r"positive|strong|requir|essential|necessary|associat|amplif|expand|longer|facilitat|sensitiv|worse)\w*",
    re.IGNORECASE,
)
_FALLS = re.compile(
    r"\b(?:decreas|low|reduc|inhibit|suppress|impair|down-?regulat|loss|less|deficien|block|prevent|diminish|attenuat|"
    r"repress|declin|negative|weak|dispensable|abolish|disrupt|protect|fewer|short|delay|resist|slow|abrogat|delet|"
    r"limit)\w*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_STEM = 6
"""Number of initial letters by which direction words are compared."""


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the content words in `text`, stemmed as in the index."""
    return frozenset(stems(words(text), QUESTION_STOP_WORDS))


def predictors_of(
    statement: str, sentences: Sequence[str], cosines: Floats, rarity: Mapping[str, float]
) -> tuple[Floats, int]:
    """Compute the `PREDICTORS` of one paper, shape (n,), and the index of its best sentence.

    `sentences` begin with the title; `cosines` compare them with the statement; `rarity` maps the statement's stems to
    their rarity.
    """
    texts = [content_stems(sentence) & rarity.keys() for sentence in sentences]
    coverage = np.array([_share(text, rarity) for text in texts])
    their_words = frozenset().union(*texts)
    worth = 0.5 * cosines + 0.5 * coverage
    best: NDArray[np.intp] = np.argsort(-worth, kind="stable")[:N_BEST]
    match = [
        cosines.max(),
        np.sort(cosines)[-N_BEST:].mean(),
        cosines[0],
        cosines.mean(),
        coverage.max(),
        _share(their_words, rarity),
        coverage[0],
        worth.max(),
        worth.max() - worth.mean(),
        max((rarity[word] for word in rarity.keys() - their_words), default=0.0),
    ]
    otherwise = _otherwise(statement, [sentences[i] for i in best], worth[best])
    return np.array([*match, *otherwise], dtype=np.float64), int(best[0])


def _otherwise(statement: str, best: Sequence[str], worth: Floats) -> list[float]:
    """Return the predictors from "negation differs" onwards."""
    has_negation = [bool(_NEGATION.search(text)) for text in (statement, best[0])]
    direction = np.sign(_direction(statement))
    directions = [float(np.sign(_direction(sentence))) for sentence in best]
    together = " ".join(best)
    (rising, falling), (their_rising, their_falling) = _direction_words(statement), _direction_words(together)
    numbers = set(_NUMBER.findall(statement))
    return [
        has_negation[0] != has_negation[1],
        direction * directions[0],
        (direction > 0) * len(_FALLS.findall(best[0])),
        (direction < 0) * len(_RISES.findall(best[0])),
        direction * float(worth @ np.array(directions)),
        worth[0] if has_negation[0] == has_negation[1] else -worth[0],
        len(rising & their_rising),
        len(falling & their_falling),
        len(rising - their_rising),
        len(falling - their_falling),
        len(numbers - set(_NUMBER.findall(together))) / max(1, len(numbers)),
    ]


def _share(stems: frozenset[str], rarity: Mapping[str, float]) -> float:
    total = sum(rarity.values())
    return sum(rarity[word] for word in stems) / total if total else 0.0


def _direction(text: str) -> int:
    return len(_RISES.findall(text)) - len(_FALLS.findall(text))


def _direction_words(text: str) -> tuple[set[str], set[str]]:
    rising, falling = ({word.lower()[:_STEM] for word in kind.findall(text)} for kind in (_RISES, _FALLS))
    return rising, falling
