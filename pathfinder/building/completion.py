"""Completes a corpus: makes every part that is stale, checks the new ones, and replaces the manifest.

    make the stale parts that a search needs -> check -> make the other stale parts -> replace the manifest

`graph.py` lists the parts and decides when one is stale; `stages.py` makes them.
"""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pathfinder.assessment.relevance import shipped_prior
from pathfinder.building.changes import Changes, history_parts
from pathfinder.building.directory import BuildDirectory
from pathfinder.building.engine import collection_of
from pathfinder.building.graph import SPECS, fingerprint, is_stale
from pathfinder.building.intake import Intake
from pathfinder.building.passage_maker import files_of, vector_limit_of
from pathfinder.building.passages import check_form, form_for
from pathfinder.building.progress import Progress
from pathfinder.building.stages import FITTED_STAGES, LATER_STAGES, SEARCH_STAGES, BuildPlan, BuildStage, Work
from pathfinder.building.versions import put_in_place
from pathfinder.corpus.manifest import COMING, SCHEMA_VERSION, Counts, Manifest, write_manifest
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.store import Corpus, verify_parts
from pathfinder.index.token_codecs import TokenForm
from pathfinder.models.ports import Embedder
from pathfinder.settings import installed_version


@dataclass(frozen=True, slots=True)
class Completion:
    """A complete corpus, and counts of the records read for it."""

    manifest: Manifest
    intake: Intake
    rejected_path: Path


@dataclass(frozen=True, slots=True)
class Site:
    """A folder in which a corpus is being changed, and everything needed to change it."""

    directory: BuildDirectory
    embedder: Embedder
    progress: Progress
    previous: Corpus | None
    """Corpus from which the new version is made."""
    replaced_manifest: Manifest | None = None
    """Manifest of the version to which a rollback returns, if that is not `previous`."""


def complete(site: Site, manifest: Manifest, intake: Intake, changes: Changes, plan: BuildPlan) -> Completion:
    """Make all parts that are stale, from new papers and changes in the build directory, and put them in place;
    `manifest` has no parts yet.
    """
    previous = site.previous
    work = Work(
        directory=site.directory,
        manifest=manifest,
        embedder=site.embedder,
        progress=site.progress,
        previous=previous,
        plan=plan,
        has_new_papers=previous is None or intake.n_new > 0 or bool(changes.reworded_rows or changes.amended_rows),
        changes=changes,
        collection=plan.collection or collection_of(previous),
        history=history_parts(site.directory, intake.history),
    )
    early_parts = _make_parts(work, opens_early=plan.opens_early)
    before = site.replaced_manifest or (previous.manifest if previous else None)
    if before is None or work.manifest != before:
        put_in_place(site.directory, work.manifest, before, early_parts)
    return Completion(work.manifest, intake, site.directory.rejected_file)


def _make_parts(work: Work, *, opens_early: bool) -> frozenset[str]:
    """Make the parts that a search needs, check them, and then make the others; return the names of the parts with
    which a new corpus was opened early.
    """
    any_made = _run(SEARCH_STAGES, work)
    early_parts: frozenset[str] = frozenset()
    if opens_early and work.previous is None:
        work.manifest = replace(work.manifest, created_by=created_by())
        early_parts = open_early(work)
        work.progress.say(f"{work.directory.corpus} can be searched now; its map will follow")
    if _run(FITTED_STAGES, work) or any_made:
        # Every byte of the new parts is checked before the map is drawn from them.
        work.manifest = replace(work.manifest, created_by=created_by())
        work.progress.start("checking", None)
        verify_parts(work.directory.corpus, work.manifest, "")
        work.progress.finish()
    _run(LATER_STAGES, work)
    return early_parts


def _run(stages: Sequence[BuildStage], work: Work) -> bool:
    """Make the parts of `stages` that are stale or have new input, and keep the others; return whether any part was
    made.
    """
    before = work.previous.manifest if work.previous else None
    any_made = False
    for stage in stages:
        specs = [SPECS[role] for role in stage.roles]
        has_new_input = stage.is_asked is not None and stage.is_asked(work)
        if before is None or has_new_input or any(is_stale(spec, before, work.manifest) for spec in specs):
            parts = stage.make(work)
            any_made = any_made or any(
                isinstance(part, CorpusFile) and (before is None or before.parts.get(role) != part)
                for role, part in parts.items()
            )
        else:
            previous_parts: dict[str, CorpusFile | str] = {**before.absent, **before.parts}
            parts = {role: previous_parts[role] for role in stage.roles if role in previous_parts}
        work.manifest = _with_parts(work.manifest, parts)
        fingerprints = {spec.role: fingerprint(spec, work.manifest) for spec in specs}
        work.manifest = replace(work.manifest, fingerprints={**work.manifest.fingerprints, **fingerprints})
    return any_made


def _with_parts(manifest: Manifest, new_parts: Mapping[str, CorpusFile | str]) -> Manifest:
    """Return `manifest` with additional parts, and with the reason for each part that is missing."""
    parts = {role: part for role, part in new_parts.items() if isinstance(part, CorpusFile)}
    reasons = {role: reason for role, reason in new_parts.items() if isinstance(reason, str)}
    return replace(manifest, parts={**manifest.parts, **parts}, absent={**manifest.absent, **reasons})


def empty_manifest(
    embedder: Embedder, previous: Corpus | None, snapshot: datetime.date | None, tokens: TokenForm | None = None
) -> Manifest:
    """Return a manifest without parts; the counts of papers are those of the previous corpus. Raises `UsageError` if
    the corpus cannot have tokens in the form `tokens`.
    """
    if previous is not None:
        check_form(previous, tokens)
        snapshot = snapshot or previous.snapshot
        return replace(previous.manifest, snapshot=snapshot, parts={}, absent={}, fingerprints={}, coming=())
    return Manifest(
        schema_version=SCHEMA_VERSION,
        created_by=created_by(),
        embedder=embedder.name,
        dimension=embedder.dimension,
        keyword_extractor="",
        snapshot=snapshot,
        counts=Counts(0),
        parts={},
        vector_limit=vector_limit_of(embedder),
        form_of_tokens=form_for(embedder, tokens),
        embedder_files=files_of(embedder),
    )


def created_by() -> str:
    """Return the name and the version of this program."""
    number = installed_version(otherwise="")
    return f"pathfinder {number}" if number else "pathfinder, not installed"


# Opens a new corpus to searches before its map is drawn.
#
# A corpus can be searched once its papers are embedded and indexed. It is then put in place without the later parts:
# the manifest lists them as `coming`, with fingerprints that match nothing, so that, if the build is stopped here,
# the next one makes them. Whether the corpus covers a question is judged with the weights shipped with Pathfinder
# until its own are fitted.

_NOT_MADE = ""
"""Fingerprint of a part that is still to be made."""


def open_early(work: Work) -> frozenset[str]:
    """Put in place the parts of the corpus that a search needs, and return their names: they must stay while anyone has
    the corpus open.
    """
    content = shipped_prior().to_json()

    def write(path: Path) -> None:
        path.write_text(content, encoding="utf-8")

    manifest = early_manifest(work.manifest, {"relevance": work.tools.make_part("relevance", "relevance.json", write)})
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
