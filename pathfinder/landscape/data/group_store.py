"""Finds the papers of each mission and of each concept when a corpus is built, and stores them on disk."""

import json
from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.source_hash import source_hash
from pathfinder.corpus.thesaurus import Thesaurus
from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.concepts import papers_by_concept
from pathfinder.landscape.data.groups import Groups, open_groups, write_groups
from pathfinder.missions import Matcher, catalogue_version, missions
from pathfinder.text.strict_json import read_json

INDEX = "groups.json"
INDEX_OF_0_1 = "layers.json"
"""The index that Pathfinder 0.1.0 wrote; its groups can still be read, and the next build makes new ones."""
MISSIONS, CONCEPTS = "missions", "concepts"
_CODE = ("pathfinder.missions", "pathfinder.landscape.data.concepts", "pathfinder.landscape.data.groups")
_BATCH = 5000
_INDEX = TypeAdapter(dict[str, object])


def papers_by_mission(papers: PaperTable) -> Groups:
    """Find the papers, from any year, that mention each mission in the catalogue, keyed by the mission's slug.

    Reads the title, the abstract and the subjects assigned by authors or curators. Keywords extracted from title and
    abstract are ignored: the text already contains them, together with the neighbouring words that reveal their
    meaning.
    """
    matcher = Matcher()
    slugs = [mission.slug for mission in missions()]
    rows: dict[str, list[int]] = {slug: [] for slug in slugs}
    row = 0
    columns = [papers.column(name) for name in ("title", "abstract", "subjects")]
    for start in range(0, len(papers), _BATCH):
        titles, abstracts, subjects = (column.slice(start, _BATCH).to_pylist() for column in columns)
        for title, abstract, own_subjects in zip(titles, abstracts, subjects, strict=True):
            for place in sorted(matcher.places_in(f"{title}. {abstract}\n{'; '.join(own_subjects)}")):
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
