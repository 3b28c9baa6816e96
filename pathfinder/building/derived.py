"""What is worked out once, from a whole corpus or from what is given with it, so that no question waits for it."""

from pathlib import Path

from pathfinder.assessment import relevance_fit
from pathfinder.assessment.outliers import calibrate
from pathfinder.building.tools import Tools
from pathfinder.building.workplace import Workplace
from pathfinder.corpus.parts import Part, place_part
from pathfinder.corpus.store import Corpus
from pathfinder.corpus.thesaurus import ThesaurusFile, write_thesaurus
from pathfinder.models.ports import Vectors

SEED = 20240801
"""Of whatever draws lots, so that a build repeats byte for byte."""


def outliers_part(tools: Tools, vectors: Vectors) -> Part:
    """The cut-offs beyond which a hit lies apart from the others."""
    tools.progress.start("calibrating outliers", None)
    content = calibrate(vectors, SEED).to_json()
    part = tools.make_part("outliers", "outliers.json", lambda path: _write(content, path))
    tools.progress.finish()
    return part


def relevance_part(tools: Tools, corpus: Corpus) -> Part:
    """How to tell whether the corpus bears on a question."""
    tools.progress.start("fitting relevance", None)
    content = relevance_fit.fit(corpus, tools.embedder, SEED).to_json()
    part = tools.make_part("relevance", "relevance.json", lambda path: _write(content, path))
    tools.progress.finish()
    return part


def thesaurus_part(place: Workplace, before: Corpus | None, given: ThesaurusFile | None) -> Part | str:
    """The thesaurus that was given now, else the one that the corpus has; or why there is none."""
    if given is None:
        known = before.manifest.parts.get("thesaurus") if before else None
        return known or "no thesaurus was given: build with --thesaurus FILE"
    staged = place.staging / "thesaurus"
    write_thesaurus(given.name, given.concepts, staged)
    return place_part(staged, "thesaurus", place.corpus)


def _write(content: str, path: Path) -> None:
    path.write_text(content, encoding="utf-8")
