"""Embeds all papers in a corpus again, with another embedder, and replaces every part that is made from vectors.

The papers are those of the corpus: no source is read. The map is laid out again, because places on it depend on the
vectors.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

from pathfinder.building.changes import Changes, history_of
from pathfinder.building.completion import complete, empty_manifest
from pathfinder.building.directory import open_build_directory
from pathfinder.building.embedding import embed
from pathfinder.building.full_texts import index_full_texts
from pathfinder.building.graph import SPECS, fingerprint
from pathfinder.building.indexes import dense_part
from pathfinder.building.intake import Intake
from pathfinder.building.passage_maker import files_of, for_papers, precision_of, vector_limit_of
from pathfinder.building.passages import absent_passages, form_for, index_passages
from pathfinder.building.progress import Progress, Silent
from pathfinder.building.work import BuildPlan, MapOptions, Work, collection_of
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import Manifest, read_manifest
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.store import FULL_TEXT_PASSAGES, PASSAGE_ROLES, Corpus, verify_corpus
from pathfinder.models.ports import Embedder


@dataclass(frozen=True, slots=True)
class ReEmbeddingReport:
    """The result of embedding a corpus again."""

    n_papers: int
    embedder: str
    """Name of the embedder with which the corpus can now be searched."""
    embedder_before: str
    seconds: float


def re_embed(
    folder: Path, embedder: Embedder, *, extractor: KeywordExtractor | None = None, progress: Progress | None = None
) -> ReEmbeddingReport:
    """Embed all papers in the corpus in `folder` with `embedder`, and their passages, titles and tokens too, unless
    these were left out when the corpus was built.

    Everything made from vectors is rebuilt: the map, the relevance decision, the outlier thresholds, the reranker
    check and the layers. Papers, words, keywords, citations, merges and choices stay. The previous version can be
    restored by a rollback. If the run is stopped, the corpus stays as it was, and the vectors computed so far are kept
    for the next attempt.
    """
    start, progress = monotonic(), progress or Silent()
    read_manifest(folder)  # so that no folder is created where there is no corpus
    with open_build_directory(folder) as directory:
        corpus = verify_corpus(folder)
        # No source supplies vectors any longer.
        manifest = replace(
            corpus.manifest,
            embedder=embedder.name,
            dimension=embedder.dimension,
            precision=precision_of(for_papers(embedder)),
            vector_limit=vector_limit_of(embedder),
            form_of_tokens=form_for(embedder, None),
            embedder_files=files_of(embedder),
            sources=tuple(replace(source, vectors=None) for source in corpus.manifest.sources),
        )
        changes = Changes(directory.staging)
        plan = BuildPlan(passages=has_passages_again(corpus.manifest), collection=collection_of(corpus))
        after = _with_new_vectors(Work(directory, manifest, embedder, progress, None, plan, changes))
        plan = BuildPlan(options=MapOptions(afresh=True), extractor=extractor)
        manifest, intake = empty_manifest(embedder, after), Intake(history=history_of(corpus))
        complete(Work(directory, manifest, embedder, progress, after, plan, changes, intake, corpus.manifest))
    if FULL_TEXT_PASSAGES in corpus.manifest.parts:
        index_full_texts(folder, embedder, progress)
    return ReEmbeddingReport(len(corpus.papers), embedder.name, corpus.manifest.embedder, monotonic() - start)


def has_passages_again(manifest: Manifest) -> bool:
    """Return whether a corpus gets passages when it is embedded again. It gets none if they were left out by choice
    when it was built, but it does get them if they were missing only because its vectors came from files.
    """
    return "passages" not in manifest.absent or any(source.vectors for source in manifest.sources)


def _with_new_vectors(work: Work) -> Corpus:
    """Make the indexes of vectors, and open the corpus with them in place of its own; the parts fitted to vectors are
    then found to be stale.
    """
    maker, parts = work.passage_maker, dict[str, CorpusFile]()
    with Journal(work.place.journal) as journal:
        with work.stage("embedding", len(work.papers)):
            batches = embed(work.papers, work.paper_embedder, journal, work.progress, maker)
            work.vectors = work.scratch_vectors(batches, len(work.papers))
        parts["dense"] = dense_part(work)
        if maker is not None:
            parts |= index_passages(work, maker, journal)
    of_vectors = (*PASSAGE_ROLES, "dense", FULL_TEXT_PASSAGES)
    others = {role: part for role, part in work.manifest.parts.items() if role not in of_vectors}
    reasons = {role: reason for role, reason in work.manifest.absent.items() if role not in PASSAGE_ROLES}
    absent = {**reasons, **absent_passages(work.paper_embedder, maker)}
    work.manifest = replace(work.manifest, parts={**others, **parts}, absent=absent)
    own = {role: fingerprint(SPECS[role], work.manifest) for role in (*PASSAGE_ROLES, "dense")}
    work.manifest = replace(work.manifest, fingerprints={**work.manifest.fingerprints, **own})
    return work.corpus
