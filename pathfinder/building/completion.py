"""Completes a corpus: makes every part that is stale, checks the new ones, and replaces the manifest.

    make the stale parts that a search needs -> check -> make the other stale parts -> replace the manifest

`graph.py` lists the parts and decides when one is stale; the stages below say which function makes it.
"""

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from pathfinder.answering.assessment.relevance import shipped_prior
from pathfinder.building.changes import HISTORY_ROLES
from pathfinder.building.fitted_parts import (
    awaits_key,
    outliers_part,
    profile_parts,
    relevance_part,
    reranker_part,
    thesaurus_part,
)
from pathfinder.building.graph import SPECS, fingerprint, is_stale
from pathfinder.building.indexes import are_elsewhere, dense_part, network_part, papers_part, sparse_part, terms_part
from pathfinder.building.map import atlas_part, groups_are_current, groups_part, landscape_part, layers_part
from pathfinder.building.passage_maker import files_of, vector_limit_of
from pathfinder.building.passages import check_form, form_for, has_passages, passage_parts
from pathfinder.building.reviews import reviews_part
from pathfinder.building.steering_features import features_part
from pathfinder.building.versions import put_in_place
from pathfinder.building.work import Work, collection_of
from pathfinder.corpus.history.choices import Choices, write_choices
from pathfinder.corpus.history.merges import write_merges
from pathfinder.corpus.history.retractions import write_list
from pathfinder.corpus.manifest import COMING, SCHEMA_VERSION, Counts, Manifest, write_manifest
from pathfinder.corpus.parts import CorpusFile, check_whole
from pathfinder.corpus.store import FULL_TEXT_ROLES, PASSAGE_ROLES, Corpus, verify_parts
from pathfinder.index.token_codecs import TokenForm
from pathfinder.models.ports import Embedder
from pathfinder.settings import installed_version

MadeParts = Mapping[str, CorpusFile | str]
"""Parts by role; a text in place of a part is the reason for its absence."""


@dataclass(frozen=True, slots=True)
class BuildStage:
    """A stage, which makes one part or several together."""

    roles: tuple[str, ...]
    make: Callable[[Work], MadeParts | CorpusFile | str]
    """Function that makes the part or, if there are several, the parts by role."""
    is_asked: Callable[[Work], bool] = lambda work: False  # noqa: ARG005
    """Function that returns whether the build has new input for the parts; if so, they are made even if they are not
    stale.
    """


def _has_new_papers(work: Work) -> bool:
    changes = work.changes
    return work.previous is None or work.intake.n_new > 0 or bool(changes.reworded_rows or changes.amended_rows)


def _history_parts(work: Work) -> MadeParts:
    """Make the parts that hold the choices, the merges and the retractions; none for what is empty."""
    history, parts = work.intake.history, dict[str, CorpusFile]()
    if history.choices != Choices():
        parts["choices"] = work.make_part("choices", "choices.json", partial(write_choices, history.choices))
    if history.merges.entries:
        parts["merges"] = work.make_part("merges", "merges", partial(write_merges, history.merges))
    if history.retractions.names:
        write = partial(write_list, history.retractions)
        parts["retractions"] = work.make_part("retractions", "retractions.json", write)
    return parts


def _same_full_texts(work: Work) -> MadeParts:
    """Keep the list of full texts and their index, which only the commands for full texts change."""
    previous_parts = work.previous.manifest.parts if work.previous else {}
    return {role: part for role, part in previous_parts.items() if role in FULL_TEXT_ROLES}


SEARCH_STAGES = (
    BuildStage(("papers",), papers_part, _has_new_papers),
    BuildStage(
        PASSAGE_ROLES,
        passage_parts,
        lambda work: (
            work.previous is None or not has_passages(work.previous, work.passage_maker) or are_elsewhere(work)
        ),
    ),
    BuildStage(("dense",), dense_part, lambda work: work.collection != collection_of(work.previous)),
    BuildStage(("sparse",), sparse_part, lambda work: work.previous is not None and work.previous.lacks_keywords),
    BuildStage(("terms",), terms_part),
    BuildStage(("network",), network_part),
    BuildStage(("profile",), profile_parts, lambda work: work.plan.inputs.profile is not None),
    BuildStage(("outliers",), outliers_part),
    BuildStage(HISTORY_ROLES, _history_parts, lambda work: True),  # noqa: ARG005  they change without new papers
    BuildStage(FULL_TEXT_ROLES, _same_full_texts),
)
"""Stages that a search needs."""

FITTED_STAGES = (
    BuildStage(("relevance",), relevance_part, awaits_key),
    BuildStage(("reranker",), reranker_part),
    BuildStage(("landscape",), landscape_part, lambda work: work.plan.options.afresh),
)
"""Stages whose parts are fitted to the whole corpus, such as the relevance decision and the positions of the papers on
the map.
"""

LATER_STAGES = (
    BuildStage(("features",), features_part, lambda work: work.plan.options.afresh),
    BuildStage(("thesaurus",), thesaurus_part, lambda work: work.plan.inputs.thesaurus is not None),
    BuildStage(("reviews",), reviews_part, lambda work: work.plan.inputs.reviews is not None),
    BuildStage(("groups",), groups_part, lambda work: not groups_are_current(work.previous)),
    BuildStage(("layers",), layers_part, lambda work: True),  # noqa: ARG005  each layer checks whether it is stale
    BuildStage(("atlas",), atlas_part, lambda work: work.plan.options.namer is not None),
)
"""Stages for inputs other than papers, and for the drawn parts of the map."""


def complete(work: Work) -> None:
    """Make all parts that are stale, from new papers and changes in the build directory, and put them in place;
    `work.manifest` has no parts yet.
    """
    made = _run(SEARCH_STAGES, work)
    early_parts: frozenset[str] = frozenset()
    if work.plan.opens_early and work.previous is None:
        work.manifest = replace(work.manifest, created_by=created_by())
        early_parts = _open_early(work)
        work.progress.say(f"{work.place.corpus} can be searched now; its map will follow")
    made += _run(FITTED_STAGES, work)
    if made:
        # Every byte of the new parts is checked before the map is drawn from them.
        work.manifest = replace(work.manifest, created_by=created_by())
        with work.stage("checking"):
            verify_parts(work.place.corpus, work.manifest, "")
    for part in _run(LATER_STAGES, work):
        check_whole(work.place.corpus, part)
    before = work.replaced_manifest or (work.previous.manifest if work.previous else None)
    if before is None or work.manifest != before:
        put_in_place(work.place, work.manifest, before, early_parts)


def _run(stages: Sequence[BuildStage], work: Work) -> list[CorpusFile]:
    """Make the parts of `stages` that are stale or have new input, and keep the others; return those that were made."""
    before = work.previous.manifest if work.previous else None
    new_parts: list[CorpusFile] = []
    for stage in stages:
        specs = [SPECS[role] for role in stage.roles]
        has_new_input = stage.is_asked(work)
        if before is None or has_new_input or any(is_stale(spec, before, work.manifest) for spec in specs):
            made = stage.make(work)
            parts = made if isinstance(made, Mapping) else {stage.roles[0]: made}
        else:
            previous_parts: dict[str, CorpusFile | str] = {**before.absent, **before.parts}
            parts = {role: previous_parts[role] for role in stage.roles if role in previous_parts}
        files = {role: part for role, part in parts.items() if isinstance(part, CorpusFile)}
        reasons = {role: reason for role, reason in parts.items() if isinstance(reason, str)}
        new_parts += (part for role, part in files.items() if before is None or before.parts.get(role) != part)
        manifest = replace(
            work.manifest, parts={**work.manifest.parts, **files}, absent={**work.manifest.absent, **reasons}
        )
        own = {spec.role: fingerprint(spec, manifest) for spec in specs}
        work.manifest = replace(manifest, fingerprints={**manifest.fingerprints, **own})
    return new_parts


def empty_manifest(
    embedder: Embedder, previous: Corpus | None, snapshot: datetime.date | None = None, tokens: TokenForm | None = None
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


def _open_early(work: Work) -> frozenset[str]:
    """Put in place the parts of the corpus that a search needs, and return their names: they must stay while anyone has
    the corpus open.
    """
    stand_ins = {"relevance": work.make_part("relevance", "relevance.json", shipped_prior().to_json())}
    roles = [role for stage in (*FITTED_STAGES, *LATER_STAGES) for role in stage.roles]
    missing = [role for role in roles if role not in (*work.manifest.parts, *work.manifest.absent)]
    coming = tuple(role for role in missing if role not in stand_ins)
    manifest = replace(
        work.manifest,
        parts={**work.manifest.parts, **stand_ins},
        absent={**work.manifest.absent, **dict.fromkeys(coming, COMING)},
        coming=coming,
        fingerprints={**work.manifest.fingerprints, **dict.fromkeys(missing, _NOT_MADE)},
    )
    verify_parts(work.place.corpus, manifest, "")
    write_manifest(work.place.corpus, manifest)
    return frozenset(part.name for part in manifest.parts.values())
