"""What layers need and no reader chooses, as it lies on disk: who names which mission, and who has which concept."""

import json
from pathlib import Path

from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.parts import REMEDY
from pathfinder.corpus.thesaurus import Thesaurus
from pathfinder.errors import CorpusDamaged
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.groups import Groups, open_groups, write_groups
from pathfinder.landscape.layers.concepts import papers_by_concept
from pathfinder.landscape.missions import catalogue_version, papers_by_mission

VERSION = 3
"""Of what is counted, and how: another number and a build counts again."""
ABOUT = "layers.json"
MISSIONS, CONCEPTS = "missions", "concepts"


def write_layers(papers: PaperTable, terms: KeywordIndex, thesaurus: Thesaurus | None, folder: Path) -> None:
    """Count and write; the same corpus, the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    write_groups(papers_by_mission(papers), folder, MISSIONS)
    if thesaurus is not None:
        write_groups(papers_by_concept(terms, thesaurus), folder, CONCEPTS)
    groups = [MISSIONS, *([CONCEPTS] if thesaurus is not None else [])]
    about = {"version": VERSION, "catalogue": catalogue_version(), "groups": groups}
    (folder / ABOUT).write_text(json.dumps(about) + "\n", encoding="utf-8")


def open_layers(folder: Path, n_papers: int) -> tuple[Groups, Groups | None]:
    """The papers of each mission, and those of each concept where there is a thesaurus. Raises `CorpusDamaged`."""
    groups = _about(folder).get("groups")
    if not isinstance(groups, list) or MISSIONS not in groups:
        raise CorpusDamaged(f"{folder / ABOUT} names no groups: {REMEDY}")
    missions = open_groups(folder, MISSIONS, n_papers)
    return missions, open_groups(folder, CONCEPTS, n_papers) if CONCEPTS in groups else None


def are_current(folder: Path) -> bool:
    """Whether the layers in `folder` were counted as they are counted now."""
    about = _about(folder)
    return (about.get("version"), about.get("catalogue")) == (VERSION, catalogue_version())


def _about(folder: Path) -> dict[str, object]:
    path = folder / ABOUT
    try:
        about = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        why = " ".join(str(error).split())
        raise CorpusDamaged(f"{path} cannot be read ({why}): {REMEDY}") from error
    return about if isinstance(about, dict) else {}
