"""Writes everything in a corpus's manifest as JSON for programs."""

from pathfinder.corpus.coverage import coverage
from pathfinder.corpus.earlier import earlier_version
from pathfinder.corpus.history.merges import n_conflicts, open_list
from pathfinder.corpus.parts import PART_LABELS
from pathfinder.corpus.reranker_check import RerankerCheck
from pathfinder.corpus.store import Corpus
from pathfinder.export.plain_json import JsonObject, as_json, same_names, select
from pathfinder.index.milvus import MilvusVectors
from pathfinder.sources.uat import LICENCE, TITLE

_NAME = same_names("name version")
_MANIFEST = same_names(
    "schema_version created_by embedder dimension keyword_extractor snapshot counts precision vector_limit "
    "form_of_tokens"
)
_ROLES = {"groups": "layers", "layers": "overlays"}
"""Parts renamed since version 0.1.0, with their old names, which are still the keys of records, because programs read
them.
"""
_ROLE_OF_KEY = {key: role for role, key in _ROLES.items()}
_RERANKER = same_names("n_questions fusion reranked gain standard_error is_on")
_FILE = {"name": "name", "bytes": "length", "sha256": "sha256"}


def part_label(key: str) -> str:
    """Return the name by which people know a part of a corpus, given its key in a record."""
    role = _ROLE_OF_KEY.get(key, key)
    return PART_LABELS.get(role, role)


def corpus_record(corpus: Corpus, *, n_rejected: int, verified: bool) -> JsonObject:
    """Describe a corpus.

    `n_rejected` is the number of rows in the sources that did not become papers. "manifest_checked" is true if the
    manifest has a checksum of itself, and matches it. `verified` is true if every byte was checked, and false if only
    the length, beginning and end of each file were. "version" is the first 12 hex digits of the manifest's SHA-256,
    "id" the identifier under which its readers' work is stored, "engine" the server with the vectors of papers, or null
    if a file holds them, "bytes_per_paper" the size of each part divided by the number of papers, "absent" lists the
    missing parts, with the reasons, and "profile" is the name of its field's profile.
    "sources" lists the sources from which the corpus was built (as `SourceEntry`), and "coverage" counts its papers (as
    `Coverage`). "reranker" says what the local reranker gains or loses on questions made from the corpus's titles (as
    `RerankerCheck`), and whether it is on by default; null if this was not measured. "thesaurus" is the title and the
    licence of the thesaurus, or null. "merges" counts the merged records, and the fields on which they disagree.
    "earlier" is the version to which `pathfinder rollback` returns, with its papers and the bytes on disk that it alone
    needs; null if there is none.
    """
    files = {role: [select(entry, _FILE) for entry in part.files] for role, part in corpus.manifest.parts.items()}
    return {
        **select(corpus.name, _NAME),
        "id": corpus.name.ids[0],
        "folder": str(corpus.folder),
        **select(corpus.manifest, _MANIFEST),
        "profile": corpus.profile.name,
        "parts": {
            _ROLES.get(role, role): {"name": part.name, "bytes": sum(file["bytes"] for file in files[role])}
            | {"files": files[role]}
            for role, part in corpus.manifest.parts.items()
        },
        "engine": _engine(corpus),
        "bytes_per_paper": _bytes_per_paper(corpus),
        "absent": {_ROLES.get(role, role): reason for role, reason in corpus.absent.items()},
        "sources": as_json(corpus.manifest.sources),
        "coverage": as_json(coverage(corpus.papers, corpus.network)),
        "reranker": _reranker(corpus.reranker_check),
        "thesaurus": _thesaurus(corpus),
        "merges": _merges(corpus),
        "earlier": as_json(earlier_version(corpus.folder, corpus.manifest)),
        "n_rejected": n_rejected,
        "verified": verified,
        "manifest_checked": corpus.manifest.checksum is not None,
    }


def _thesaurus(corpus: Corpus) -> JsonObject | None:
    """Return the title of the thesaurus and, if it is known, its licence."""
    if corpus.thesaurus is None:
        return None
    return {"name": corpus.thesaurus.name, "licence": LICENCE if corpus.thesaurus.name == TITLE else None}


def _merges(corpus: Corpus) -> JsonObject:
    merges = open_list(corpus.path("merges"))
    return {"n_records": len(merges), "n_conflicts": n_conflicts(merges)}


def _engine(corpus: Corpus) -> JsonObject | None:
    if not isinstance(corpus.dense, MilvusVectors):
        return None
    collection = corpus.dense.collection
    return {
        "name": collection.engine,
        "version": corpus.dense.version,
        "uri": corpus.dense.uri,
        "collection": collection.version_name,
        "schema_version": collection.schema_version,
        "words": collection.has_words,
    }


def _bytes_per_paper(corpus: Corpus) -> JsonObject | None:
    """Return the mean size of each part per paper, in bytes; `None` for a corpus without papers."""
    n_papers = corpus.manifest.counts.papers
    if n_papers == 0:
        return None
    sizes = {role: sum(entry.length for entry in part.files) for role, part in corpus.manifest.parts.items()}
    return {_ROLES.get(role, role): round(size / n_papers, 1) for role, size in sizes.items()}


def _reranker(check: RerankerCheck | None) -> JsonObject | None:
    return None if check is None else select(check, _RERANKER)
