"""What papers are about, in a few of their own keywords: those that are frequent among them and rare elsewhere."""

import math
from collections import Counter

from pathfinder.corpus.lemmas import lemmas
from pathfinder.landscape.survey import Survey
from pathfinder.types import Rows

MOST_READ = 200
"""Papers whose keywords are read; of more, evenly many are left out."""


def about(survey: Survey, rows: Rows, n: int = 3) -> str:
    """The `n` phrases of the papers at `rows` with the highest tf * log(N / df), joined by commas.

    tf counts each paper once. Without an index of keywords every df counts alike. "" where there are no keywords.
    """
    step = max(1, math.ceil(len(rows) / MOST_READ))
    papers = survey.papers.take(rows[::step])
    frequency: Counter[tuple[str, ...]] = Counter()
    spelled: dict[tuple[str, ...], str] = {}
    for paper in papers:
        keys = {lemmas(phrase): phrase for phrase in (*paper.subjects, *paper.keywords)}
        for key, phrase in keys.items():
            spelled.setdefault(key, phrase)
        frequency.update(key for key in keys if key)
    score = {key: count * _rarity(survey, key) for key, count in frequency.items()}
    best = sorted(score, key=lambda key: (-score[key], key))
    return ", ".join(spelled[key] for key in best[:n] if score[key] > 0)


def _rarity(survey: Survey, key: tuple[str, ...]) -> float:
    if survey.terms is None:
        return 1.0
    return math.log((len(survey.papers) + 1) / max(len(survey.terms.papers_with(" ".join(key))), 1))
