"""Concepts of the thesaurus: the papers on each of them, and the concepts at the top."""

from collections.abc import Iterable, Mapping

import numpy as np

from pathfinder.corpus.thesaurus import Concept, Thesaurus
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.groups import Groups
from pathfinder.types import Rows

FEWEST_BELOW = 10
"""Minimum number of narrower concepts that a concept without a broader one needs to count as a top concept; thesauri
also have stray concepts without a parent.
"""


def papers_by_concept(terms: KeywordIndex, thesaurus: Thesaurus) -> Groups:
    """Find the papers on each concept: those with one of its names as a keyword or within one. The groups are named by
    concept id, in the order of the file.

    A name that is the label of one concept and an alternative label of another belongs to the former. A single-word
    alternative label does not count unless it is written in capitals ("AGN"): too many keywords contain "probe" for all
    of them to be about space probes.
    """
    ids = thesaurus.concepts.column("concept_id").to_pylist()
    keys = thesaurus.names.column("key").to_pylist()
    rows = thesaurus.names.column("row").to_pylist()
    labels = thesaurus.names.column("is_label").to_pylist()
    names = thesaurus.names.column("name").to_pylist()
    is_a_label = {key for key, is_label in zip(keys, labels, strict=True) if is_label}
    papers_of: dict[str, list[int]] = {concept_id: [] for concept_id in ids}
    for key, row, is_label, name in zip(keys, rows, labels, names, strict=True):
        is_specific = " " in key or name.isupper()
        if is_label or (key not in is_a_label and is_specific):
            papers_of[ids[row]].extend(terms.papers_with(key).tolist())
    return Groups.of(papers_of)


def all_concepts(thesaurus: Thesaurus) -> tuple[Concept, ...]:
    """List every concept, in the order of the file."""
    return tuple(thesaurus.concept(row) for row in range(len(thesaurus)))


def top_concepts(concepts: Iterable[Concept]) -> tuple[Concept, ...]:
    """Select the concepts at the top that have at least ten below them; failing that, those that have any below them;
    failing that, all at the top.

    If concepts form a cycle, each broader than the next, the first represents them all.
    """
    concepts = tuple(concepts)
    at_top = _at_top(concepts)
    below = {concept.concept_id: len(with_narrower(concepts, concept.concept_id)) - 1 for concept in at_top}
    large = tuple(concept for concept in at_top if below[concept.concept_id] >= FEWEST_BELOW)
    return large or tuple(concept for concept in at_top if below[concept.concept_id]) or tuple(at_top)


def _at_top(concepts: tuple[Concept, ...]) -> list[Concept]:
    """List the concepts without a broader one, in the order of the file."""
    at_top = {concept.concept_id for concept in concepts if not concept.broader}
    broader = {concept.concept_id: concept.broader for concept in concepts}
    narrower = {concept.concept_id: concept.narrower for concept in concepts}
    reachable_ids = {other for concept_id in at_top for other in _reachable_from(narrower, concept_id)}
    for concept_id in broader:
        # A concept that no top concept reaches lies below a cycle, or on one if all above it are also below it.
        if concept_id not in reachable_ids and _reachable_from(broader, concept_id) <= (
            below := _reachable_from(narrower, concept_id)
        ):
            at_top.add(concept_id)
            reachable_ids |= below
    return [concept for concept in concepts if concept.concept_id in at_top]


def with_narrower(concepts: Iterable[Concept], concept_id: str) -> frozenset[str]:
    """Collect a concept and all those below it."""
    return _reachable_from({concept.concept_id: concept.narrower for concept in concepts}, concept_id)


def _reachable_from(links: Mapping[str, tuple[str, ...]], concept_id: str) -> frozenset[str]:
    """Collect a concept and all those that can be reached through its links."""
    reachable_ids, pending = {concept_id}, [concept_id]
    while pending:
        new = [other for other in links.get(pending.pop(), ()) if other not in reachable_ids]
        reachable_ids.update(new)
        pending.extend(new)
    return frozenset(reachable_ids)


def papers_under(groups: Groups, ids: frozenset[str]) -> Rows:
    """List the papers on any of the concepts with these `ids`, each paper once."""
    members = [groups.rows_at(place) for place, name in enumerate(groups.names) if name in ids]
    rows = np.concatenate([np.empty(0, dtype=np.int64), *members])
    # A mask is ten times faster than sorting the rows.
    is_member = np.zeros(int(rows.max(initial=-1)) + 1, dtype=np.bool_)
    is_member[rows] = True
    return np.flatnonzero(is_member)
