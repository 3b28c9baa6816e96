"""Describes papers, or districts of the map, by keywords that are frequent among them and rare elsewhere."""

import math
from collections import Counter
from collections.abc import Collection

import numpy as np

from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.statistics.phrases import SINGLE_WORD, phrases_of_parts
from pathfinder.text.language.lemmas import lemmas
from pathfinder.types import Rows

MOST_READ = 120
"""Maximum number of papers whose keywords are read; from a larger set, an even sample is taken."""
LONGEST = 40
"""Maximum length of a phrase, in characters."""
N_PHRASES = 3
"""Number of phrases in a description."""
MOST_COUNTED = 50_000
"""Approximate maximum number of papers whose keywords are counted to name districts; from a larger set, an even sample
is taken.
"""


def describe_papers(map_data: MapData, rows: Rows) -> str:
    """Describe the papers at `rows` by the three phrases with the highest tf * log(N / df), joined by commas.

    tf is the number of these papers that have the phrase. If there are several papers, at least two of them, and at
    least a twentieth, must have it. Without an index of keywords, df is the same for all phrases. Returns "" if no
    phrase remains.
    """
    step = max(1, math.ceil(len(rows) / MOST_READ))
    papers = map_data.papers.take(rows[::step]).keywords()
    frequency: Counter[tuple[str, ...]] = Counter()
    spellings: dict[tuple[str, ...], str] = {}
    for keywords in papers:
        keys = {lemmas(phrase): phrase for phrase in keywords if len(phrase) <= LONGEST and ":" not in phrase}
        for key, phrase in keys.items():
            spellings.setdefault(key, phrase)
        frequency.update(key for key in keys if key)
    least = min(max(2, len(papers) // 20), len(papers))
    score = {key: count * _weight(map_data, key) for key, count in frequency.items() if count >= least}
    best = sorted(score, key=lambda key: (-score[key], key))
    return ", ".join(spellings[key] for key in best[:N_PHRASES] if score[key] > 0)


def _weight(map_data: MapData, key: tuple[str, ...]) -> float:
    length = SINGLE_WORD if len(key) == 1 else 1.0
    if map_data.terms is None:
        return length
    return length * math.log((len(map_data.papers) + 1) / max(len(map_data.terms.papers_with(" ".join(key))), 1))


def name_districts(map_data: MapData, of: Rows, n: int, districts: Collection[int] | None = None) -> tuple[str, ...]:
    """Name each of `n` districts by up to three keyword phrases; `of` gives the district of each paper, shape
    (n_papers,).

    The name is "" if no phrase is frequent there and rare elsewhere, or if there is no index of keywords. If
    `districts` is given, only these are named, because naming one takes a hundredth of a second; the others also get
    "".
    """
    if map_data.terms is None:
        return ("",) * n
    sample = of if districts is None else np.where(np.isin(of, list(districts)), of, -1)
    sample = np.where(np.arange(len(of)) % max(1, len(of) // MOST_COUNTED) == 0, sample, -1)
    phrases_of = phrases_of_parts(map_data.terms, map_data.papers, sample, n, N_PHRASES)
    return tuple(", ".join(phrase.text for phrase in phrases) for phrases in phrases_of)


def in_sentence(name: str) -> str:
    """Write the name of a district for use within a sentence."""
    return name or "a region without distinctive keywords"
