"""What districts are called: by the keywords that are frequent there and rare elsewhere."""

from collections.abc import Collection

import numpy as np

from pathfinder.landscape.layer import Absent
from pathfinder.landscape.phrases import phrases_of_parts
from pathfinder.landscape.survey import Survey
from pathfinder.types import Rows

N_PHRASES = 3
MOST_COUNTED = 50_000
"""Papers whose keywords are counted, about; of more, evenly many are left out. A name needs no more of them."""
MIN_PAPERS = 240
"""Fewer papers make too few districts to be told apart."""


def names_of(survey: Survey, of: Rows, n: int, wanted: Collection[int] | None = None) -> tuple[str, ...]:
    """Up to three keyword phrases for each of `n` districts, joined by commas; `of` each paper, shape (n_papers,).

    "" where nothing is frequent there and rare elsewhere, everywhere without an index of keywords, and for districts
    that are not `wanted`, by default all: to name one takes a hundredth of a second.
    """
    if survey.terms is None:
        return ("",) * n
    kept = of if wanted is None else np.where(np.isin(of, list(wanted)), of, -1)
    kept = np.where(np.arange(len(of)) % max(1, len(of) // MOST_COUNTED) == 0, kept, -1)
    found = phrases_of_parts(survey.terms, survey.papers, kept, n, N_PHRASES)
    return tuple(", ".join(phrase.text for phrase in phrases) for phrases in found)


def told(name: str) -> str:
    """A name as it stands in a sentence."""
    return name or "a region without keywords of its own"


def too_few(survey: Survey, slug: str, title: str) -> Absent | None:
    """Why a layer that tells districts apart cannot be made of so few papers; `None` where it can."""
    n = len(survey.papers)
    if n >= MIN_PAPERS:
        return None
    return Absent(slug, title, f"regions are told apart from {MIN_PAPERS} papers on, and here are {n}: add papers")
