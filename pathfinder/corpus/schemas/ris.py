"""Records of RIS as papers, with the tags that Zotero, EndNote, Mendeley, ADS and journals use."""

from dataclasses import replace

from pathfinder.corpus.schemas.ads import provenance_in_file
from pathfinder.corpus.schemas.fields import Record
from pathfinder.corpus.schemas.loose_fields import chosen_id, loose_date, tagged_values
from pathfinder.corpus.schemas.tidy import tidy_paper
from pathfinder.text.identifiers import arxiv_id_in, bare_doi, bibcode_in
from pathfinder.types import Paper

_AUTHORS = ("AU", "A1")
_VENUES = ("JF", "JO", "T2", "JA", "J2", "BT")
_PLACES_OF_IDS = ("UR", "L2", "DO", "AN", "M1", "N1", "ID", "PB", "JF", "JO", "T2")


def ris_paper(record: Record) -> Paper:
    """Return the paper that a record describes. Raises `Unusable` with the reason if it describes none."""
    values, first = tagged_values(record)
    year, date = loose_date(first.get("DA") or first.get("Y1") or first.get("PY"), first.get("PY") or first.get("Y1"))
    places = [text for tag in _PLACES_OF_IDS for text in values.get(tag, [])]
    venue = next((first[tag] for tag in _VENUES if tag in first and not arxiv_id_in(first[tag], is_marked=True)), None)
    fields = {
        "arxiv_id": next(filter(None, (arxiv_id_in(place, is_marked=True) for place in places)), None),
        "doi": bare_doi(first.get("DO")),
        "bibcode": next(filter(None, map(bibcode_in, places)), None),
        "title": first.get("TI") or first.get("T1") or first.get("CT"),
        "abstract": first.get("AB") or first.get("N2"),
        "authors": [name for tag in _AUTHORS for name in values.get(tag, [])],
        "year": year,
        "date": date,
        "journal": venue,
        "venue": venue,
        "keywords": values.get("KW", []),
    }
    paper = tidy_paper({**fields, "id": chosen_id(fields)})
    record_id = first.get("ID") or first.get("AN") or paper.paper_id
    # ADS itself writes the title in T1 and the abstract in N2, and its own address; others name it in DP or DB.
    own_address = first.get("UR") if {"T1", "N2"} <= first.keys() else None
    marks = (first.get("DP"), first.get("DB"), own_address)
    return replace(paper, provenance=provenance_in_file(record_id, marks))
