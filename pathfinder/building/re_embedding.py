"""Embeds all papers in a corpus again, with another embedder, and replaces every part that is made from vectors.

The papers are those of the corpus: no source is read. The map is laid out again, because places on it depend on the
vectors.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

from pathfinder.building.changes import Changes, history_of
from pathfinder.building.completion import Site, complete, empty_manifest
from pathfinder.building.directory import open_build_directory
from pathfinder.building.embedding import embed
from pathfinder.building.engine import collection_of
from pathfinder.building.full_texts import index_full_texts
from pathfinder.building.graph import SPECS, fingerprint
from pathfinder.building.indexes import dense_part, scratch_vectors
from pathfinder.building.intake import Intake
from pathfinder.building.map import MapOptions
from pathfinder.building.passage_maker import files_of, for_papers, precision_of, vector_limit_of
from pathfinder.building.passages import absent_passages, form_for, index_passages, passage_maker_of
from pathfinder.building.progress import Progress, Silent
from pathfinder.building.stages import BuildPlan
from pathfinder.building.tools import Tools
from pathfinder.corpus.journal import Journal
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.corpus.manifest import Manifest, read_manifest
from pathfinder.corpus.parts import CorpusFile
from pathfinder.corpus.store import FULL_TEXT_PASSAGES, PASSAGE_ROLES, Corpus, open_parts, verify_corpus
from pathfinder.index.token_codecs import TokenForm
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
        paper_embedder = for_papers(embedder)
        form = form_for(embedder, None)
        maker = passage_maker_of(paper_embedder, None, form) if has_passages_again(corpus.manifest) else None
        extractor = extractor or KeywordExtractor.load()
        limit = vector_limit_of(embedder)
        tools = Tools(directory, embedder, paper_embedder, extractor, progress, maker, limit, collection_of(corpus))
        after = _with_new_vectors(tools, corpus, _for_embedder(corpus.manifest, tools, form))
        plan = BuildPlan(options=MapOptions(afresh=True), extractor=extractor)
        site = Site(directory, embedder, progress, after, replaced_manifest=corpus.manifest)
        manifest = empty_manifest(embedder, after, None)
        complete(site, manifest, Intake(history=history_of(corpus)), Changes(directory.staging), plan)
    if FULL_TEXT_PASSAGES in corpus.manifest.parts:
        index_full_texts(folder, embedder, progress)
    return ReEmbeddingReport(len(corpus.papers), embedder.name, corpus.manifest.embedder, monotonic() - start)


def has_passages_again(manifest: Manifest) -> bool:
    """Return whether a corpus gets passages when it is embedded again. It gets none if they were left out by choice
    when it was built, but it does get them if they were missing only because its vectors came from files.
    """
    return "passages" not in manifest.absent or any(source.vectors for source in manifest.sources)


def _for_embedder(manifest: Manifest, tools: Tools, form: TokenForm) -> Manifest:
    """Return `manifest` with the facts about the new embedder; no source supplies vectors any longer."""
    return replace(
        manifest,
        embedder=tools.embedder.name,
        dimension=tools.embedder.dimension,
        precision=precision_of(tools.paper_embedder),
        vector_limit=tools.vector_limit,
        form_of_tokens=form,
        embedder_files=files_of(tools.embedder),
        sources=tuple(replace(source, vectors=None) for source in manifest.sources),
    )


def _with_new_vectors(tools: Tools, corpus: Corpus, manifest: Manifest) -> Corpus:
    """Make the indexes of vectors, and open the corpus with them in place of its own; the parts fitted to vectors are
    then found to be stale.
    """
    maker, parts = tools.passage_maker, dict[str, CorpusFile]()
    tools.progress.start("embedding", len(corpus.papers))
    with Journal(tools.place.journal) as journal:
        batches = embed(corpus.papers, tools.paper_embedder, journal, tools.progress, maker)
        vectors = scratch_vectors(tools, batches, len(corpus.papers))
        tools.progress.finish()
        parts["dense"] = dense_part(tools, corpus.papers, vectors)
        if maker is not None:
            parts |= index_passages(tools, maker, None, corpus.papers, journal)
    of_vectors = (*PASSAGE_ROLES, "dense", FULL_TEXT_PASSAGES)
    others = {role: part for role, part in manifest.parts.items() if role not in of_vectors}
    reasons = {role: reason for role, reason in manifest.absent.items() if role not in PASSAGE_ROLES}
    manifest = replace(
        manifest, parts={**others, **parts}, absent={**reasons, **absent_passages(tools.paper_embedder, maker)}
    )
    own = {role: fingerprint(SPECS[role], manifest) for role in (*PASSAGE_ROLES, "dense")}
    manifest = replace(manifest, fingerprints={**manifest.fingerprints, **own})
    return open_parts(tools.place.corpus, manifest, "")
