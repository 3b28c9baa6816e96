"""Objects in a JSON document as papers: an object's schema is recognised by fields that no other schema has."""

from pathfinder.corpus.schemas.fields import Record, Unusable, quoted, text_field
from pathfinder.types import Paper


def any_json_paper(record: Record) -> Paper:
    """Return the paper in an object from OpenAlex, ADS, Crossref, Zotero (also through Better BibTeX), CSL JSON,
    arXiv's dump, or with plainly named fields. Raises `Unusable` with the reason.
    """
    # Imported here because the readers use this module, and the schemas import fields from the readers' package.
    from pathfinder.corpus.schemas.ads import ads_paper, is_ads_record
    from pathfinder.corpus.schemas.any_paper import any_paper
    from pathfinder.corpus.schemas.crossref import crossref_paper
    from pathfinder.corpus.schemas.csl import csl_paper, is_csl_record
    from pathfinder.corpus.schemas.openalex import is_openalex_record, openalex_paper

    if is_openalex_record(record):
        return openalex_paper(record)
    if is_ads_record(record):
        return ads_paper(record)
    if "itemType" in record or isinstance(record.get("data"), dict):
        return _zotero(record)
    if isinstance(record.get("title"), list) and "DOI" in record:
        return crossref_paper(record)
    return csl_paper(record) if is_csl_record(record) else any_paper(record)


def _zotero(record: Record) -> Paper:
    """Return the paper in an item from Zotero's API, or in an item from Better BibTeX, which has no envelope."""
    from pathfinder.corpus.schemas.zotero import is_paper_item, zotero_paper

    key = text_field(record, "key", "itemKey", "citationKey", "citekey")
    item = record if isinstance(record.get("data"), dict) else {"key": key, "data": record}
    if not is_paper_item(item):
        data = item["data"]
        raise Unusable(f"not a paper, but {quoted(data.get('itemType') if isinstance(data, dict) else None)}")
    return zotero_paper(item)
