"""Writes the kinds of sources, and previews of sources, as JSON for programs."""

from collections.abc import Container, Iterable, Sequence

from pathfinder.corpus.manifest import SourceEntry
from pathfinder.corpus.readers import READERS
from pathfinder.export.plain_json import JsonObject, as_json, same_names, select
from pathfinder.sources import SourceKind
from pathfinder.sources.preview import Preview
from pathfinder.types import Paper

_KIND = same_names("scheme label form examples gives key needs_key terms cost licence may_be_shared")
_PAPER = same_names("paper_id title authors year date journal doi arxiv_id bibcode has_abstract")


def sources_record(kinds: Iterable[SourceKind]) -> JsonObject:
    """Describe the kinds of sources, and the formats of files: "sources" and "formats" (name, suffixes)."""
    formats = [{"name": reader.name, "suffixes": list(reader.suffixes)} for reader in READERS.all()]
    return {"sources": [select(kind, _KIND) for kind in kinds], "formats": formats}


def listed_sources_record(entries: Iterable[SourceEntry], missing_sources: Container[str]) -> JsonObject:
    """Describe the sources of a corpus (as `SourceEntry`); "is_gone" is true for those in `missing_sources`, whose
    files no longer exist.
    """
    return {"sources": [{**as_json(entry), "is_gone": entry.source in missing_sources} for entry in entries]}


def preview_record(previews: Sequence[Preview]) -> JsonObject:
    """Describe previews of sources: papers, rejected rows, the number of rows read, and whether these are all the rows
    of the source.
    """
    return {"sources": [_preview(preview) for preview in previews]}


def _preview(preview: Preview) -> JsonObject:
    return {
        **select(preview, same_names("source kind n_rows n_duplicates is_whole notes")),
        "papers": [_paper(paper) for paper in preview.papers],
        "rejected": [as_json(row) for row in preview.rejected_rows],
    }


def _paper(paper: Paper) -> JsonObject:
    return select(paper, _PAPER)
