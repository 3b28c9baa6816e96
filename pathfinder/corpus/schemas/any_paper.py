"""Records of any program: which schema reads each is told by its fields, whatever the format of the file."""

from collections.abc import Mapping

from pathfinder.corpus.schemas.ads import ads_paper, is_ads_record
from pathfinder.corpus.schemas.arxiv import arxiv_paper, is_arxiv_record
from pathfinder.corpus.schemas.crossref import crossref_paper
from pathfinder.corpus.schemas.csl import csl_paper, is_csl_record
from pathfinder.corpus.schemas.fields import Record, Unusable, inner, shorten, text_field
from pathfinder.corpus.schemas.openalex import is_openalex_record, openalex_paper
from pathfinder.corpus.schemas.semantic_scholar import semantic_scholar_paper
from pathfinder.corpus.schemas.tidy import stated_id, tidy_paper
from pathfinder.corpus.schemas.zotero import NOT_PAPERS, zotero_paper
from pathfinder.types import Paper

ENVELOPES = ("message", "citedPaper", "citingPaper")
"""Fields in which a reply of Crossref, or of Semantic Scholar about references, holds its record."""


def any_paper(record: Record) -> Paper:
    """Return the paper in a record from arXiv's dump or in the tidy schema. Raises `Unusable` with the reason."""
    return arxiv_paper(record) if is_arxiv_record(record) else tidy_paper(record)


def any_json_paper(record: Record) -> Paper:
    """Return the paper in an object that comes from OpenAlex, ADS, Crossref, Semantic Scholar, Zotero (also through
    Better BibTeX), CSL JSON or arXiv's dump, or that has plainly named fields. Raises `Unusable` with the reason.
    """
    if "title" not in record:
        record = next((inner(record, name) for name in ENVELOPES if isinstance(record.get(name), Mapping)), record)
    if is_openalex_record(record):
        return openalex_paper(record)
    if is_ads_record(record):
        return ads_paper(record)
    data = record.get("data")
    # An item from Better BibTeX has no envelope.
    item = data if isinstance(data, Mapping) else record
    if "itemType" in item:
        if item["itemType"] in NOT_PAPERS:
            raise Unusable(f"not a paper, but {shorten(item['itemType'])}")
        key = text_field(record, "key", "itemKey", "citationKey", "citekey")
        return zotero_paper({**record, "key": key, "data": item})
    if isinstance(record.get("title"), list) and "DOI" in record:
        return crossref_paper(record)
    if "corpusId" in record or ("externalIds" in record and "paperId" in record):
        return semantic_scholar_paper(record)
    return csl_paper(record) if is_csl_record(record) else any_paper(record)


def record_id(record: Record) -> str | None:
    """Return the id of a record, even if other fields of the record are broken."""
    try:
        return stated_id(record)
    except Unusable:
        return None
