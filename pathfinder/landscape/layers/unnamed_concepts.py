"""The layer of unnamed concepts: keywords shared by many papers in one region but missing from the thesaurus."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from pathfinder.corpus.thesaurus import Thesaurus
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.layer import Column, Layer, Mark, Table, UnavailableLayer, colour_of
from pathfinder.landscape.data.map_data import NO_THESAURUS, MapData
from pathfinder.landscape.layers.base import GAPS_GROUP, LayerKind, Listing
from pathfinder.landscape.statistics.districts import Districts, divide, too_few_papers
from pathfinder.landscape.statistics.keywords import as_written, count_phrases, name_districts
from pathfinder.landscape.statistics.significance import benjamini_hochberg

PAPERS_EACH, MOST_DISTRICTS = 150, 60
FEWEST, LARGEST_SHARE = 6, 0.05
"""Limits on the number of papers with the phrase: fewer than six may be a coincidence; more than one in twenty suggest
that it is used throughout the field.
"""
LEAST_LIFT = 5.0
"""Minimum factor by which the phrase must be more frequent in its region than on the whole map; a phrase that is spread
evenly is just a common expression.
"""
FDR = 0.01
MOST_TRIED, MOST_LISTED = 400, 40
COLOUR = colour_of(2)
LABEL_WIDTH, LABEL_HEIGHT = 0.15, 0.022
"""Width and height of a name, as fractions of the long side of the map."""


@dataclass(frozen=True, slots=True)
class UnnamedConcept:
    """A phrase that is missing from the thesaurus."""

    text: str
    """Its most frequent spelling."""
    key: str
    """Its lemmas."""
    n_papers: int
    district: int
    """The district where it is most frequent."""
    n_there: int
    lift: float
    nearest: str | None
    """The longest name in the thesaurus that the phrase contains."""
    x: float
    y: float
    """The centre of its papers in that district."""


def find_unnamed(
    map_data: MapData, terms: KeywordIndex, names: frozenset[str], districts: Districts
) -> tuple[UnnamedConcept, ...]:
    """Find phrases missing from the thesaurus that are concentrated in one district, the largest excess there first.

    `names` holds the names in the thesaurus, as lemmas. A phrase is concentrated if it is at least five times as
    frequent in the district as on the whole map, and if this is more than chance would explain (exact binomial tail
    times the number of districts, false discovery rate 1%).
    """
    n_papers = np.diff(terms.starts)
    # Find, for each term, the district with the largest number of its papers, and that number.
    per_district = count_phrases(terms, districts.of, len(districts))
    order = np.lexsort((per_district.parts, -per_district.papers, per_district.terms))
    distinct_terms, first = np.unique(per_district.terms[order], return_index=True)
    district, n_there = np.zeros((2, len(terms.terms)), dtype=np.int64)
    district[distinct_terms] = per_district.parts[order][first]
    n_there[distinct_terms] = per_district.papers[order][first]
    share = districts.sizes[district] / len(map_data.papers)
    lift = n_there / np.maximum(n_papers * share, 1e-9)
    concept_rows = np.flatnonzero(
        (n_papers >= FEWEST) & (n_papers <= max(LARGEST_SHARE * len(map_data.papers), FEWEST))
    )
    p = np.minimum(
        binom.sf(n_there[concept_rows] - 1, n_papers[concept_rows], share[concept_rows]) * len(districts), 1.0
    )
    concept_rows = concept_rows[(benjamini_hochberg(p) <= FDR) & (lift[concept_rows] >= LEAST_LIFT)]
    concepts: list[UnnamedConcept] = []
    beyond = n_there[concept_rows] * (1 - 1 / lift[concept_rows])
    best = concept_rows[np.lexsort((concept_rows, -beyond))]
    keys = [str(terms.terms[int(term)].as_py()) for term in best]
    best = np.array(
        [term for term, key in zip(best, keys, strict=True) if key not in names][:MOST_TRIED], dtype=np.int64
    )
    for term, text in zip(best, as_written(terms, map_data.papers, best), strict=True):
        key = str(terms.terms[int(term)].as_py())
        if any(_is_part(key, other.key) or _is_part(other.key, key) for other in concepts):
            continue
        # A single everyday word, unlike an acronym, is too vague to belong in a thesaurus.
        if text is not None and (" " in key or sum(letter.isupper() for letter in text) > 1):
            rows = terms.rows[terms.starts[term] : terms.starts[term + 1]].astype(np.int64)
            there = map_data.coordinates[rows[districts.of[rows] == district[term]]]
            x, y = there.mean(axis=0, dtype=np.float64).tolist()
            counts = int(n_papers[term]), int(district[term]), int(n_there[term])
            concepts.append(UnnamedConcept(text, key, *counts, float(lift[term]), _nearest_name(key, names), x, y))
        if len(concepts) == MOST_LISTED:
            break
    return tuple(concepts)


def _is_part(phrase: str, whole: str) -> bool:
    return f" {phrase} " in f" {whole} "


def _nearest_name(key: str, names: frozenset[str]) -> str | None:
    words = key.split()
    runs = (" ".join(words[i : i + n]) for n in range(len(words) - 1, 0, -1) for i in range(len(words) - n + 1))
    return next((run for run in runs if run in names), None)


def _sources(map_data: MapData) -> tuple[Thesaurus, KeywordIndex] | UnavailableLayer:
    """Return the thesaurus and the keywords, or an unavailable layer that gives the reason."""
    if map_data.thesaurus is None:
        return UNNAMED_CONCEPTS.unavailable(NO_THESAURUS)
    if map_data.terms is None:
        return UNNAMED_CONCEPTS.unavailable("the keyword index is not loaded: open the whole corpus")
    if reason := too_few_papers(map_data):
        return UNNAMED_CONCEPTS.unavailable(reason)
    return map_data.thesaurus, map_data.terms


def _list(map_data: MapData) -> Listing:
    sources = _sources(map_data)
    return (sources if isinstance(sources, UnavailableLayer) else UNNAMED_CONCEPTS.info(),)


def unnamed_layer(map_data: MapData) -> Layer | UnavailableLayer:
    """Mark frequent concepts missing from the thesaurus, each where it is most frequent."""
    sources = _sources(map_data)
    if isinstance(sources, UnavailableLayer):
        return sources
    thesaurus, terms = sources
    districts = divide(map_data, PAPERS_EACH, MOST_DISTRICTS)
    names = frozenset(thesaurus.names.column("key").to_pylist())
    concepts = find_unnamed(map_data, terms, names, districts)
    district_names = name_districts(map_data, districts.of, len(districts))
    # A name is left out where it would cover an earlier one; it always appears when the pointer is over the mark.
    extent = map_data.grid.extent
    side = max(extent.right - extent.left, extent.top - extent.bottom)
    marks: list[Mark] = []
    for concept in concepts:
        text = f"{concept.text}: {concept.n_papers:,} papers, {concept.n_there:,} of them here"
        apart = ((abs(mark.x - concept.x) / side, abs(mark.y - concept.y) / side) for mark in marks if mark.label)
        is_free = all(x > LABEL_WIDTH or y > LABEL_HEIGHT for x, y in apart)
        label = concept.text if is_free else ""
        marks.append(Mark(concept.x, concept.y, text, COLOUR, "unnamed concept", label))
    return Layer(
        UNNAMED_CONCEPTS.slug,
        UNNAMED_CONCEPTS.title,
        f"Keywords of at least {FEWEST} papers, missing from {thesaurus.name} and at least "
        f"{LEAST_LIFT:g} times as frequent in one of {len(districts)} regions as on the whole map, by more than "
        f"chance would explain (exact binomial test, false discovery rate {FDR:.0%}).",
        marks=tuple(marks),
        table=Table(_COLUMNS, tuple(_row(district_names, *entry) for entry in enumerate(concepts, start=1))),
        notes=() if concepts else ("the thesaurus has a name for every concept that is frequent in a single region",),
    )


_COLUMNS = (
    Column("rank", "by the number of papers there in excess of that expected by chance"),
    Column("concept", "the concept in its most frequent spelling"),
    Column("papers", "papers that have it as a keyword or within one"),
    Column("region", "keywords of the region where it is most frequent"),
    Column("papers there"),
    Column("times as frequent there", "compared with the whole map"),
    Column("nearest name", "the longest name in the thesaurus that it contains"),
    Column("x", "position of the centre of its papers there"),
    Column("y", "position of the centre of its papers there"),
)


def _row(district_names: tuple[str, ...], rank: int, concept: UnnamedConcept) -> tuple[str | float | int | None, ...]:
    return (
        rank,
        concept.text,
        concept.n_papers,
        district_names[concept.district],
        concept.n_there,
        round(concept.lift, 1),
        concept.nearest,
        round(concept.x, 3),
        round(concept.y, 3),
    )


UNNAMED_CONCEPTS = LayerKind(
    slug="unnamed",
    title="Unnamed concepts",
    help="Keywords shared by many papers in one region but missing from the thesaurus.",
    group=GAPS_GROUP,
    order=70,
    inputs=("papers", "landscape", "terms", "thesaurus"),
    list_layers=_list,
    compute=unnamed_layer,
)
