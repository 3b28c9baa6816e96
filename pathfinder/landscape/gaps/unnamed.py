"""Concepts without a name: keywords that many papers of one region share and that the thesaurus does not know."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from pathfinder.corpus.thesaurus import Thesaurus
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.gaps.districts import Districts, divide
from pathfinder.landscape.gaps.naming import names_of, too_few
from pathfinder.landscape.layer import Absent, Column, Layer, Mark, Table
from pathfinder.landscape.layers.colours import colour_of
from pathfinder.landscape.layers.significance import benjamini_hochberg
from pathfinder.landscape.phrases import as_written, count_phrases
from pathfinder.landscape.survey import Survey
from pathfinder.types import Rows

SLUG, TITLE = "unnamed", "Unnamed concepts"
PAPERS_EACH, MOST_DISTRICTS = 150, 60
FEWEST, LARGEST_SHARE = 6, 0.05
"""Papers that have it: fewer are a coincidence; more than one in twenty is a word of the whole field."""
LEAST_LIFT = 5.0
"""How many times as frequent in its region as on the whole map. What is spread evenly is manner of speaking."""
FDR = 0.01
MOST_TRIED, MOST_LISTED = 400, 40
COLOUR = colour_of(2)
LABEL_WIDTH, LABEL_HEIGHT = 0.15, 0.022
"""Of the long side of the map, that a name takes."""


@dataclass(frozen=True, slots=True)
class Unnamed:
    """A phrase that the thesaurus lacks."""

    text: str
    """As most papers write it."""
    key: str
    """Its lemmas."""
    n_papers: int
    district: int
    """Where it is most frequent."""
    n_there: int
    lift: float
    nearest: str | None
    """The longest name of the thesaurus that is a part of it."""
    x: float
    y: float
    """The middle of its papers in that district."""


def find_unnamed(
    survey: Survey, terms: KeywordIndex, names: frozenset[str], districts: Districts
) -> tuple[Unnamed, ...]:
    """Phrases that are no name of the thesaurus and are concentrated in a district, the most concentrated first.

    `names` are the thesaurus's own, as lemmas. Concentrated: at least five times as frequent there as on the whole
    map, and more often than chance (exact binomial tail, times the number of districts, false discovery rate 1%).
    """
    n_papers = np.diff(terms.starts)
    district, n_there = _where_most(terms, districts)
    share = districts.sizes[district] / len(survey.papers)
    lift = n_there / np.maximum(n_papers * share, 1e-9)
    tried = np.flatnonzero((n_papers >= FEWEST) & (n_papers <= max(LARGEST_SHARE * len(survey.papers), FEWEST)))
    p = np.minimum(binom.sf(n_there[tried] - 1, n_papers[tried], share[tried]) * len(districts), 1.0)
    tried = tried[(benjamini_hochberg(p) <= FDR) & (lift[tried] >= LEAST_LIFT)]
    found: list[Unnamed] = []
    beyond = n_there[tried] * (1 - 1 / lift[tried])
    best = tried[np.lexsort((tried, -beyond))]
    keys = [str(terms.terms[int(term)].as_py()) for term in best]
    best = np.array(
        [term for term, key in zip(best, keys, strict=True) if key not in names][:MOST_TRIED], dtype=np.int64
    )
    for term, text in zip(best, as_written(terms, survey.papers, best), strict=True):
        key = str(terms.terms[int(term)].as_py())
        if any(_is_part(key, one.key) or _is_part(one.key, key) for one in found):
            continue
        if text is not None and _is_a_concept(text, key):
            rows = terms.rows[terms.starts[term] : terms.starts[term + 1]].astype(np.int64)
            there = survey.coordinates[rows[districts.of[rows] == district[term]]]
            x, y = there.mean(axis=0, dtype=np.float64).tolist()
            counts = int(n_papers[term]), int(district[term]), int(n_there[term])
            found.append(Unnamed(text, key, *counts, float(lift[term]), _nearest_name(key, names), x, y))
        if len(found) == MOST_LISTED:
            break
    return tuple(found)


def _where_most(terms: KeywordIndex, districts: Districts) -> tuple[Rows, Rows]:
    """For each term the district with most of its papers, and how many are there."""
    counts = count_phrases(terms, districts.of, len(districts))
    order = np.lexsort((counts.parts, -counts.papers, counts.terms))
    known, first = np.unique(counts.terms[order], return_index=True)
    district, n_there = np.zeros((2, len(terms.terms)), dtype=np.int64)
    district[known], n_there[known] = counts.parts[order][first], counts.papers[order][first]
    return district, n_there


def _is_a_concept(text: str, key: str) -> bool:
    """Whether it has two words, or is an acronym: a single word of the language is too vague to be missed."""
    return " " in key or sum(letter.isupper() for letter in text) > 1


def _is_part(one: str, other: str) -> bool:
    return f" {one} " in f" {other} "


def _nearest_name(key: str, names: frozenset[str]) -> str | None:
    words = key.split()
    runs = (" ".join(words[i : i + n]) for n in range(len(words) - 1, 0, -1) for i in range(len(words) - n + 1))
    return next((run for run in runs if run in names), None)


def sources(survey: Survey) -> tuple[Thesaurus, KeywordIndex] | Absent:
    """What it is counted from; or what is missing of it."""
    if survey.thesaurus is None:
        return Absent(SLUG, TITLE, "no thesaurus was given: build with --thesaurus FILE")
    if survey.terms is None:
        return Absent(SLUG, TITLE, "the index of keywords is not at hand: open the whole corpus")
    return too_few(survey, SLUG, TITLE) or (survey.thesaurus, survey.terms)


def unnamed_layer(survey: Survey) -> Layer | Absent:
    """Frequent concepts that the thesaurus lacks, each where it is most frequent."""
    found_in = sources(survey)
    if isinstance(found_in, Absent):
        return found_in
    thesaurus, terms = found_in
    districts = divide(survey, PAPERS_EACH, MOST_DISTRICTS)
    names = frozenset(thesaurus.names.column("key").to_pylist())
    found = find_unnamed(survey, terms, names, districts)
    of_districts = names_of(survey, districts.of, len(districts))
    return Layer(
        SLUG,
        TITLE,
        f"Keywords of {FEWEST} papers or more that are no name in {thesaurus.name} and are at least "
        f"{LEAST_LIFT:g} times as frequent in one of {len(districts)} regions as on the whole map, beyond chance "
        f"(exact binomial test, false discovery rate {FDR:.0%}).",
        marks=_marks(survey, found),
        table=Table(_COLUMNS, tuple(_row(of_districts, one, rank) for rank, one in enumerate(found, start=1))),
        notes=() if found else ("every concept that is frequent in one region has a name in the thesaurus",),
    )


_COLUMNS = (
    Column("rank", "by papers there beyond what chance brings"),
    Column("concept", "as most papers write it"),
    Column("papers", "that have it as a keyword or within one"),
    Column("region", "keywords of the region where it is most frequent"),
    Column("papers there"),
    Column("times as frequent there", "as on the whole map"),
    Column("nearest name", "the longest name of the thesaurus that is a part of it"),
    Column("x", "of the middle of its papers there"),
    Column("y", "of the middle of its papers there"),
)


def _marks(survey: Survey, found: tuple[Unnamed, ...]) -> tuple[Mark, ...]:
    """One each; its name is written beside it where no earlier one's is, and told where it is pointed at."""
    extent = survey.grid.extent
    side = max(extent.right - extent.left, extent.top - extent.bottom)
    marks: list[Mark] = []
    for one in found:
        told = f"{one.text}: {one.n_papers:,} papers, {one.n_there:,} of them here"
        apart = ((abs(mark.x - one.x) / side, abs(mark.y - one.y) / side) for mark in marks if mark.label)
        is_free = all(x > LABEL_WIDTH or y > LABEL_HEIGHT for x, y in apart)
        marks.append(Mark(one.x, one.y, told, COLOUR, "unnamed concept", one.text if is_free else ""))
    return tuple(marks)


def _row(of_districts: tuple[str, ...], one: Unnamed, rank: int) -> tuple[str | float | int | None, ...]:
    known = rank, one.text, one.n_papers, of_districts[one.district], one.n_there, round(one.lift, 1), one.nearest
    return (*known, round(one.x, 3), round(one.y, 3))
