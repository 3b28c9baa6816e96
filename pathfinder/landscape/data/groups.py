"""Named groups of papers, which may overlap, as plain arrays: papers by mission, papers by concept."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from pathfinder.corpus.missions.catalogue import catalogue_version, missions
from pathfinder.corpus.missions.matching import matcher
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.source_hash import source_hash
from pathfinder.corpus.thesaurus import Concept, Thesaurus
from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.layer_store import read_array, write_array
from pathfinder.text.strict_json import read_json
from pathfinder.types import Rows

_NAMES = TypeAdapter(tuple[str, ...])
_ARRAYS: tuple[tuple[str, type[np.generic]], ...] = (("ends", np.int64), ("rows", np.int32))


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The rows of each group, one group after another."""

    names: tuple[str, ...]
    ends: NDArray[np.int64]
    """The position in `rows` at which each group ends, exclusive."""
    rows: NDArray[np.int32]
    """Rows of papers in the corpus, ascending within each group."""

    @classmethod
    def of(cls, members: Mapping[str, Sequence[int] | Rows]) -> "Groups":
        """Make groups from the rows of each, in the order of `members`."""
        parts = [np.unique(np.asarray(rows, dtype=np.int32)) for rows in members.values()]
        ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
        return cls(tuple(members), ends, np.concatenate([np.empty(0, dtype=np.int32), *parts]))

    def rows_of(self, name: str) -> Rows:
        """Return the rows of one group; an empty array if the name is unknown."""
        if name not in self.names:
            return np.empty(0, dtype=np.int64)
        return self.rows_at(self.names.index(name))

    def rows_at(self, place: int) -> Rows:
        """Return the rows of the group at `place`."""
        start = int(self.ends[place - 1]) if place else 0
        return self.rows[start : int(self.ends[place])].astype(np.int64)

    def sizes(self) -> NDArray[np.int64]:
        """Count the papers in each group."""
        return np.diff(self.ends, prepend=0)


def write_groups(groups: Groups, folder: Path, stem: str) -> None:
    """Write three files whose names begin with `stem`; the same groups always produce the same bytes."""
    names = json.dumps(groups.names, ensure_ascii=False, indent=0)
    (folder / f"{stem}_names.json").write_text(names + "\n", encoding="utf-8")
    write_array(folder / f"{stem}_ends.npy", groups.ends)
    write_array(folder / f"{stem}_rows.npy", groups.rows)


def open_groups(folder: Path, stem: str, n_papers: int) -> Groups:
    """Open the groups written by `write_groups`, memory-mapped. Raises `CorpusDamaged` for anything else."""
    path = folder / f"{stem}_names.json"
    names = read_json(_NAMES, path)
    ends, rows = (read_array(folder / f"{stem}_{name}.npy", kind, 1) for name, kind in _ARRAYS)
    fits = len(ends) == len(names) and bool((np.diff(ends, prepend=0) >= 0).all())
    fits = fits and len(rows) == (ends[-1] if len(ends) else 0)
    if not fits or (len(rows) and not (rows.min() >= 0 and rows.max() < n_papers)):
        raise CorpusDamaged(f"{path} and the files next to it are not the groups of {n_papers} papers: {CORPUS_REMEDY}")
    return Groups(names, ends, rows)


# Concepts of the thesaurus: the papers on each of them, and the concepts at the top.

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


# Finds the papers of each mission and of each concept when a corpus is built, and stores them on disk.

INDEX = "groups.json"
INDEX_OF_0_1 = "layers.json"
"""The index that Pathfinder 0.1.0 wrote; its groups can still be read, and the next build makes new ones."""
MISSIONS, CONCEPTS = "missions", "concepts"
_CODE = ("pathfinder.corpus.missions", "pathfinder.landscape.data.groups")
_BATCH = 5000
_INDEX = TypeAdapter(dict[str, object])


def papers_by_mission(papers: PaperTable) -> Groups:
    """Find the papers, from any year, that mention each mission in the catalogue, keyed by the mission's slug.

    Reads the title, the abstract and the subjects assigned by authors or curators. Keywords extracted from title and
    abstract are ignored: the text already contains them, together with the neighbouring words that reveal their
    meaning.
    """
    slugs = [mission.slug for mission in missions()]
    rows: dict[str, list[int]] = {slug: [] for slug in slugs}
    row = 0
    columns = [papers.column(name) for name in ("title", "abstract", "subjects")]
    for start in range(0, len(papers), _BATCH):
        titles, abstracts, subjects = (column.slice(start, _BATCH).to_pylist() for column in columns)
        for title, abstract, own_subjects in zip(titles, abstracts, subjects, strict=True):
            for place in sorted(matcher().places_in(f"{title}. {abstract}\n{'; '.join(own_subjects)}")):
                rows[slugs[place]].append(row)
            row += 1
    return Groups.of(rows)


def groups_hash() -> str:
    """Hash the code and the catalogue that determine which papers belong to a mission or a concept."""
    return f"{source_hash(__name__, _CODE)}-{catalogue_version()}"


def write_paper_groups(papers: PaperTable, terms: KeywordIndex, thesaurus: Thesaurus | None, folder: Path) -> None:
    """Find the groups of a corpus and write them; the same corpus always gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    write_groups(papers_by_mission(papers), folder, MISSIONS)
    if thesaurus is not None:
        write_groups(papers_by_concept(terms, thesaurus), folder, CONCEPTS)
    groups = [MISSIONS, *([CONCEPTS] if thesaurus is not None else [])]
    index = {"inputs": groups_hash(), "groups": groups}
    (folder / INDEX).write_text(json.dumps(index) + "\n", encoding="utf-8")


def open_paper_groups(folder: Path, n_papers: int) -> tuple[Groups, Groups | None]:
    """Open the papers of each mission, and of each concept if there is a thesaurus. Raises `CorpusDamaged` if they
    cannot be read.
    """
    path = _index_path(folder)
    groups = read_json(_INDEX, path).get("groups")
    if not isinstance(groups, list) or MISSIONS not in groups:
        raise CorpusDamaged(f"{path} names no groups: {CORPUS_REMEDY}")
    by_mission = open_groups(folder, MISSIONS, n_papers)
    return by_mission, open_groups(folder, CONCEPTS, n_papers) if CONCEPTS in groups else None


def are_current(folder: Path) -> bool:
    """True if the groups in `folder` were found with this code and this catalogue."""
    return read_json(_INDEX, _index_path(folder)).get("inputs") == groups_hash()


def _index_path(folder: Path) -> Path:
    first_version = folder / INDEX_OF_0_1
    return first_version if first_version.exists() else folder / INDEX
