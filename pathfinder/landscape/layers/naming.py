"""What papers are about, in a few of their own keywords: those that are frequent among them and rare elsewhere."""

import math
from collections import Counter

from pathfinder.landscape.phrases import SINGLE_WORD, lemmas_of_keyword
from pathfinder.landscape.survey import Survey
from pathfinder.types import Rows

MOST_READ = 120
"""Papers whose keywords are read; of more, evenly many are left out."""
LONGEST = 40
"""Letters of a phrase that is named."""


def about(survey: Survey, rows: Rows, n: int = 3) -> str:
    """The `n` phrases of the papers at `rows` with the highest tf * log(N / df), joined by commas.

    tf counts each paper once; of several papers at least two, and a twentieth of them, must have a phrase. Without an
    index of keywords every df counts alike. "" where no phrase is left.
    """
    step = max(1, math.ceil(len(rows) / MOST_READ))
    papers = survey.papers.take(rows[::step]).keywords()
    frequency: Counter[tuple[str, ...]] = Counter()
    spelled: dict[tuple[str, ...], str] = {}
    for paper in papers:
        keys = {lemmas_of_keyword(one): one for one in paper if len(one) <= LONGEST and ":" not in one}
        for key, phrase in keys.items():
            spelled.setdefault(key, phrase)
        frequency.update(key for key in keys if key)
    least = min(max(2, len(papers) // 20), len(papers))
    score = {key: count * _worth(survey, key) for key, count in frequency.items() if count >= least}
    best = sorted(score, key=lambda key: (-score[key], key))
    return ", ".join(spelled[key] for key in best[:n] if score[key] > 0)


def _worth(survey: Survey, key: tuple[str, ...]) -> float:
    length = SINGLE_WORD if len(key) == 1 else 1.0
    if survey.terms is None:
        return length
    return length * math.log((len(survey.papers) + 1) / max(len(survey.terms.papers_with(" ".join(key))), 1))
