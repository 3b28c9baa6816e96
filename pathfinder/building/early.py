"""Opens a new corpus to searches before its map is drawn.

A corpus can be searched once its papers are embedded and indexed. It is then put in place without the later parts: the
manifest lists them as `coming`, with fingerprints that match nothing, so that, if the build is stopped here, the next
one makes them. Whether the corpus covers a question is judged with the weights shipped with Pathfinder until its own
are fitted.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pathfinder.assessment.relevance import shipped_prior
from pathfinder.building.stages import FITTED_STAGES, LATER_STAGES, Work
from pathfinder.building.tools import Tools
from pathfinder.corpus.manifest import COMING, Manifest, write_manifest
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.store import verify_parts

_NOT_MADE = ""
"""Fingerprint of a part that is still to be made."""


def open_early(work: Work) -> frozenset[str]:
    """Put in place the parts of the corpus that a search needs, and return their names: they must stay while anyone has
    the corpus open.
    """
    manifest = early_manifest(work.manifest, {"relevance": _shipped_relevance(work.tools)})
    verify_parts(work.directory.corpus, manifest, "")
    write_manifest(work.directory.corpus, manifest)
    return frozenset(part.name for part in manifest.parts.values())


def early_manifest(manifest: Manifest, stand_ins: Mapping[str, CorpusFile]) -> Manifest:
    """Return `manifest` with `stand_ins` for the parts that a search needs, and `COMING` for the others."""
    roles = [role for stage in (*FITTED_STAGES, *LATER_STAGES) for role in stage.roles]
    missing = [role for role in roles if role not in (*manifest.parts, *manifest.absent)]
    coming = tuple(role for role in missing if role not in stand_ins)
    return replace(
        manifest,
        parts={**manifest.parts, **stand_ins},
        absent={**manifest.absent, **dict.fromkeys(coming, COMING)},
        coming=coming,
        fingerprints={**manifest.fingerprints, **dict.fromkeys(missing, _NOT_MADE)},
    )


def _shipped_relevance(tools: Tools) -> CorpusFile:
    content = shipped_prior().to_json()

    def write(path: Path) -> None:
        path.write_text(content, encoding="utf-8")

    return tools.make_part("relevance", "relevance.json", write)
