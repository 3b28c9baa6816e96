"""Papers from Semantic Scholar (https://api.semanticscholar.org): one JSON object each, as in its Graph API."""

from collections.abc import Iterator

from pathfinder.corpus.schemas.author_lists import name_in
from pathfinder.corpus.schemas.fields import Record, inner, objects, text_field, texts
from pathfinder.corpus.schemas.tidy import hosted_paper, require
from pathfinder.types import Paper

FIELDS = "corpusId,externalIds,title,abstract,venue,year,publicationDate,authors,citationCount,publicationTypes,journal"
"""Fields to request; a reply has no others."""
REFERENCES = "references.externalIds"
"""Field with the references of a paper, which can be requested only by the paper's id, not in a search."""
_REFERENCE_ORDER = {"ArXiv": "arxiv", "DOI": "doi", "PubMed": "pmid", "CorpusId": "s2"}
"""Schemes for a reference's identifiers, by their names in Semantic Scholar; the first scheme in which the
reference has an identifier is used.
"""


def semantic_scholar_paper(record: Record) -> Paper:
    """Return the paper that a record describes. Raises `Unusable` with the reason if it describes none."""
    identifiers = inner(record, "externalIds")
    corpus_id = text_field(record, "corpusId") or text_field(identifiers, "CorpusId")
    own_id = f"s2:{corpus_id}" if corpus_id else require(text_field(record, "paperId"), "no corpusId or paperId")
    fields = {
        "id": own_id if corpus_id else None,
        "own_id": own_id,
        "title": record.get("title"),
        "abstract": record.get("abstract"),
        "authors": [*filter(name_in, objects(record, "authors"))],
        "date": record.get("publicationDate") or record.get("year"),
        "journal": inner(record, "journal").get("name"),
        "venue": record.get("venue"),
        "volume": inner(record, "journal").get("volume"),
        "pages": inner(record, "journal").get("pages"),
        "citation_count": record.get("citationCount"),
        "is_review": "Review" in texts(record, "publicationTypes"),
        "doi": identifiers.get("DOI"),
        "arxiv_id": identifiers.get("ArXiv"),
        "pmid": identifiers.get("PubMed"),
        "pmcid": identifiers.get("PubMedCentral"),
        "other_ids": [own_id] if corpus_id else [],
        "references": list(_references(record)),
    }
    return hosted_paper(fields, "semanticscholar", corpus_id or own_id)


def _references(record: Record) -> Iterator[str]:
    for reference in objects(record, "references"):
        identifiers = inner(reference, "externalIds")
        pairs = ((scheme, text_field(identifiers, name)) for name, scheme in _REFERENCE_ORDER.items())
        yield from [f"{scheme}:{name}" for scheme, name in pairs if name][:1]
