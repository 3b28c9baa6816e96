"""Which papers have which concept of the thesaurus, and which top concepts stand above each."""

from collections.abc import Iterable, Mapping

import numpy as np

from pathfinder.corpus.thesaurus import Concept, Thesaurus
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.groups import Groups
from pathfinder.types import Rows

FEWEST_BELOW = 10
"""Concepts below one that no other takes in, from which on it is a top concept: files have strays at their top."""


def papers_by_concept(terms: KeywordIndex, thesaurus: Thesaurus) -> Groups:
    """The papers with one of a concept's names as a keyword or within one, by the concept's id, in its file's order.

    A name that is the label of one concept and an alternative of another is the first one's. An alternative of one
    word does not count, unless it is written in capitals ("AGN"): "probe" is within too many keywords to say that
    they are about space probes.
    """
    ids = thesaurus.concepts.column("concept_id").to_pylist()
    keys = thesaurus.names.column("key").to_pylist()
    rows = thesaurus.names.column("row").to_pylist()
    labels = thesaurus.names.column("is_label").to_pylist()
    names = thesaurus.names.column("name").to_pylist()
    is_a_label = {key for key, is_label in zip(keys, labels, strict=True) if is_label}
    found: dict[str, list[int]] = {concept_id: [] for concept_id in ids}
    for key, row, is_label, name in zip(keys, rows, labels, names, strict=True):
        says_enough = " " in key or name.isupper()
        if is_label or (key not in is_a_label and says_enough):
            found[ids[row]].extend(terms.papers_with(key).tolist())
    return Groups.of(found)


def all_concepts(thesaurus: Thesaurus) -> tuple[Concept, ...]:
    """Every concept, in the order of the file."""
    return tuple(thesaurus.concept(row) for row in range(len(thesaurus)))


def top_concepts(concepts: Iterable[Concept]) -> tuple[Concept, ...]:
    """Those that no other takes in and that take in at least ten; where none takes in so many, all at the top.

    Of concepts that take in each other, and that no other takes in, the first stands for all.
    """
    concepts = tuple(concepts)
    at_top = _at_top(concepts)
    below = {concept.concept_id: len(with_narrower(concepts, concept.concept_id)) - 1 for concept in at_top}
    large = tuple(concept for concept in at_top if below[concept.concept_id] >= FEWEST_BELOW)
    return large or tuple(concept for concept in at_top if below[concept.concept_id]) or tuple(at_top)


def _at_top(concepts: tuple[Concept, ...]) -> list[Concept]:
    """In the order of the file."""
    found = {concept.concept_id for concept in concepts if not concept.broader}
    broader = {concept.concept_id: concept.broader for concept in concepts}
    narrower = {concept.concept_id: concept.narrower for concept in concepts}
    reached = {other for concept_id in found for other in _reached(narrower, concept_id)}
    for concept_id in broader:
        # Whoever leads to no top leads into a circle; it is in that itself where all above it are below it, too.
        if concept_id not in reached and _reached(broader, concept_id) <= (below := _reached(narrower, concept_id)):
            found.add(concept_id)
            reached |= below
    return [concept for concept in concepts if concept.concept_id in found]


def with_narrower(concepts: Iterable[Concept], concept_id: str) -> frozenset[str]:
    """A concept and all below it."""
    return _reached({concept.concept_id: concept.narrower for concept in concepts}, concept_id)


def _reached(links: Mapping[str, tuple[str, ...]], concept_id: str) -> frozenset[str]:
    """A concept and all that its links lead to."""
    found, pending = {concept_id}, [concept_id]
    while pending:
        new = [other for other in links.get(pending.pop(), ()) if other not in found]
        found.update(new)
        pending.extend(new)
    return frozenset(found)


def papers_under(groups: Groups, ids: frozenset[str]) -> Rows:
    """The papers with any of these concepts, each once."""
    found = [groups.rows_at(place) for place, name in enumerate(groups.names) if name in ids]
    rows = np.concatenate([np.empty(0, dtype=np.int64), *found])
    # Ten times as fast as sorting them.
    is_found = np.zeros(int(rows.max(initial=-1)) + 1, dtype=np.bool_)
    is_found[rows] = True
    return np.flatnonzero(is_found)
