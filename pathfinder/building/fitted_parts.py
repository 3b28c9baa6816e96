"""Makes the parts that are fitted once to a whole corpus, or taken from the inputs, so that no question has to wait for
them.
"""

from pathlib import Path

from pathfinder.assessment import relevance
from pathfinder.assessment.assess import calibrate
from pathfinder.assessment.relevance import RelevanceModel
from pathfinder.building.directory import BuildDirectory
from pathfinder.building.reranker_check import check_reranker
from pathfinder.building.tools import Tools
from pathfinder.corpus.parts import CorpusFile, place_part
from pathfinder.corpus.store import Corpus
from pathfinder.corpus.thesaurus import ThesaurusFile, write_thesaurus
from pathfinder.models.keyless import KeylessEmbedder
from pathfinder.models.ports import Embedder, TokenEmbedder, Vectors

SEED = 20240801
"""Seed of all random draws, so that repeated builds produce the same bytes."""


def outliers_part(tools: Tools, vectors: Vectors) -> CorpusFile:
    """Compute the thresholds beyond which a hit is an outlier."""
    tools.progress.start("calibrating outliers", None)
    content = calibrate(vectors, SEED).to_json()
    part = tools.make_part("outliers", "outliers.json", lambda path: _write(content, path))
    tools.progress.finish()
    return part


def relevance_part(tools: Tools, corpus: Corpus) -> CorpusFile:
    """Fit the model that decides whether the corpus is relevant to a question; without the embedder's key, only the
    decision for searches by words is fitted, and all searches use it.
    """
    tools.progress.start("fitting relevance", None)
    embedder = None if isinstance(tools.embedder, KeylessEmbedder) else tools.embedder
    content = relevance.fit(corpus, embedder, SEED, corpus.profile).to_json()
    part = tools.make_part("relevance", "relevance.json", lambda path: _write(content, path))
    tools.progress.finish()
    return part


def awaits_key(previous: Corpus | None, embedder: Embedder) -> bool:
    """Return whether the relevance decision of `previous` was fitted to words alone, and the embedder's key is now
    available.
    """
    if previous is None or previous.path("relevance") is None or isinstance(embedder, KeylessEmbedder):
        return False
    stored = RelevanceModel.from_json(previous.read("relevance"))
    return stored.n_off_topic > 0 and stored.meaning == relevance.shipped_prior().meaning


def reranker_part(tools: Tools, corpus: Corpus) -> CorpusFile | str:
    """Measure whether the local reranker helps in this corpus; return the reason if that cannot be measured."""
    if not isinstance(tools.embedder, TokenEmbedder):
        return f"{tools.embedder.name} provides no token vectors"
    tools.progress.start("checking the reranker", None)
    check = check_reranker(corpus, tools.embedder, tools.paper_embedder, SEED)
    tools.progress.finish()
    if isinstance(check, str):
        return check
    content = check.to_json()
    return tools.make_part("reranker", "reranker.json", lambda path: _write(content, path))


def thesaurus_part(place: BuildDirectory, previous: Corpus | None, new: ThesaurusFile | None) -> CorpusFile | str:
    """Put the new thesaurus in place or, without one, keep the previous one; if there is neither, say so."""
    if new is None:
        previous_part = previous.manifest.parts.get("thesaurus") if previous else None
        return previous_part or "this corpus has no thesaurus: build with --thesaurus FILE"
    staging_folder = place.staging / "thesaurus"
    write_thesaurus(new.name, new.concepts, staging_folder)
    return place_part(staging_folder, "thesaurus", place.corpus)


def profile_parts(place: BuildDirectory, previous: Corpus | None, content: bytes | None) -> dict[str, CorpusFile]:
    """Put the new profile in place or, without one, keep the previous one; return nothing if there is neither."""
    if content is None:
        return {role: part for role, part in previous.manifest.parts.items() if role == "profile"} if previous else {}
    staging_file = place.staging / "profile.toml"
    staging_file.write_bytes(content)
    return {"profile": place_part(staging_file, "profile", place.corpus)}


def _write(content: str, path: Path) -> None:
    path.write_text(content, encoding="utf-8")
