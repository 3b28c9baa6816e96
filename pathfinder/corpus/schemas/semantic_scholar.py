"""Papers from Semantic Scholar (https://api.semanticscholar.org): one JSON object each, as in its Graph API."""

from collections.abc import Iterator
from itertools import islice

from pathfinder.corpus.schemas.fields import Record, count_field, parse_date, text_field
from pathfinder.corpus.schemas.json_fields import inner, objects, texts
from pathfinder.corpus.schemas.tidy import require
from pathfinder.text.identifiers import bare_doi
from pathfinder.types import Paper, Provenance

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
    corpus_id = require(text_field(record, "corpusId"), "no corpusId")
    date_text = text_field(record, "publicationDate", "year")
    year, date = parse_date(date_text) if date_text else (None, None)
    identifiers = inner(record, "externalIds")
    count = count_field(record, "citationCount")
    return Paper(
        paper_id=f"s2:{corpus_id}",
        title=require(text_field(record, "title"), "no title"),
        abstract=text_field(record, "abstract") or "",
        authors=tuple(name for author in objects(record, "authors") if (name := text_field(author, "name"))),
        year=year,
        date=date,
        journal=text_field(inner(record, "journal"), "name"),
        venue=text_field(record, "venue"),
        citation_count=count,
        citations_from="semanticscholar" if count is not None else None,
        is_review="Review" in texts(record, "publicationTypes"),
        doi=bare_doi(text_field(identifiers, "DOI")),
        arxiv_id=text_field(identifiers, "ArXiv"),
        pmid=text_field(identifiers, "PubMed"),
        other_ids=(f"s2:{corpus_id}",),
        references=tuple(dict.fromkeys(_references(record))),
        provenance=(Provenance("semanticscholar", corpus_id),),
    )


def _references(record: Record) -> Iterator[str]:
    for reference in objects(record, "references"):
        identifiers = inner(reference, "externalIds")
        pairs = ((scheme, text_field(identifiers, name)) for name, scheme in _REFERENCE_ORDER.items())
        yield from (f"{scheme}:{name}" for scheme, name in islice(((s, n) for s, n in pairs if n), 1))
