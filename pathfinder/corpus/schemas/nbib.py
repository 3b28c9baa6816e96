"""Records of PubMed's NBIB as papers (https://www.nlm.nih.gov/bsd/mms/medlineelements.html)."""

from dataclasses import replace

from pathfinder.corpus.schemas.fields import Record
from pathfinder.corpus.schemas.loose_fields import chosen_id, loose_date, tagged_values
from pathfinder.corpus.schemas.tidy import tidy_paper
from pathfinder.text.identifiers import bare_doi
from pathfinder.types import Paper, Provenance

_REVIEWS = ("Review", "Systematic Review")


def nbib_paper(record: Record) -> Paper:
    """Return the paper that a record describes. Raises `Unusable` with the reason if it describes none."""
    values, first = tagged_values(record)
    year, date = loose_date(first.get("DP"))
    identifiers = (*values.get("LID", []), *values.get("AID", []))
    doi = next((text.removesuffix("[doi]").strip() for text in identifiers if text.endswith("[doi]")), None)
    title = first.get("TI") or first.get("BTI") or first.get("TT")
    fields = {
        "doi": bare_doi(doi),
        "pmid": first.get("PMID"),
        "other_ids": [f"pmcid:{pmcid}" for pmcid in values.get("PMC", [])],
        # MEDLINE puts brackets around translated titles, and a full stop after every title.
        "title": title and title.removesuffix(".").strip("[]"),
        "abstract": first.get("AB"),
        "authors": [*(values.get("FAU") or values.get("AU", [])), *values.get("CN", [])],
        "year": year,
        "date": date,
        "journal": first.get("JT") or first.get("TA"),
        "venue": first.get("JT") or first.get("TA"),
        "keywords": [*values.get("OT", []), *(heading.replace("*", "") for heading in values.get("MH", []))],
        "is_review": any(kind in _REVIEWS for kind in values.get("PT", [])),
    }
    paper = tidy_paper({**fields, "id": chosen_id(fields)})
    return replace(paper, provenance=(Provenance("pubmed", first.get("PMID") or paper.paper_id),))
