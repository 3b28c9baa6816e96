"""Papers from records in the formats that reference managers import and export.

RIS has the tags that Zotero, EndNote, Mendeley, ADS and journals use; NBIB is PubMed's format
(https://www.nlm.nih.gov/bsd/mms/medlineelements.html); EndNote's XML has its text inside `style` elements, which
specify how it is printed.
"""

from dataclasses import replace
from xml.etree.ElementTree import Element

from pathfinder.corpus.schemas.ads import provenance_in_file
from pathfinder.corpus.schemas.fields import Record, clean, text_field
from pathfinder.corpus.schemas.tidy import tidy_paper
from pathfinder.text.identifiers import arxiv_id_in
from pathfinder.types import Paper, Provenance

_AUTHORS = ("AU", "A1")
_VENUES = ("JF", "JO", "T2", "JA", "J2", "BT")
_PLACES_OF_IDS = ("UR", "L1", "L2", "L3", "L4", "LK", "DI", "M3", "AN", "M1", "ID", "PB", "JF", "JO", "T2")
_REVIEWS = ("Review", "Systematic Review")


def ris_paper(record: Record) -> Paper:
    """Return the paper that a record describes. Raises `Unusable` with the reason if it describes none."""
    values, first = tagged_values(record)
    venue = next((first[tag] for tag in _VENUES if tag in first and not arxiv_id_in(first[tag], is_marked=True)), None)
    fields = {
        "doi": " ".join(values.get("DO", [])),
        "url": [text for tag in _PLACES_OF_IDS for text in values.get(tag, [])],
        "note": record.get("N1"),
        "title": first.get("TI") or first.get("T1") or first.get("CT"),
        "abstract": first.get("AB") or first.get("N2"),
        "authors": [name for tag in _AUTHORS for name in values.get(tag, [])],
        "year": first.get("PY") or first.get("Y1"),
        "date": first.get("DA") or first.get("Y1") or first.get("PY"),
        "journal": venue,
        "venue": venue,
        "keywords": values.get("KW", []),
    }
    paper = tidy_paper(fields)
    record_id = first.get("ID") or first.get("AN") or paper.paper_id
    # ADS itself exports the title in T1, the abstract in N2 and an address at ADS; other programs name ADS in DP or DB.
    own_address = first.get("UR") if {"T1", "N2"} <= first.keys() else None
    marks = (first.get("DP"), first.get("DB"), own_address)
    return replace(paper, provenance=provenance_in_file(record_id, marks))


def nbib_paper(record: Record) -> Paper:
    """Return the paper that a record describes. Raises `Unusable` with the reason if it describes none."""
    values, first = tagged_values(record)
    identifiers = (*values.get("LID", []), *values.get("AID", []))
    title = first.get("TI") or first.get("BTI") or first.get("TT")
    fields = {
        "doi": next((text.removesuffix("[doi]").strip() for text in identifiers if text.endswith("[doi]")), None),
        "pmid": first.get("PMID"),
        "pmcid": first.get("PMC"),
        "note": values.get("SO"),
        # MEDLINE puts brackets around translated titles, and a full stop after every title.
        "title": title and title.removesuffix(".").strip("[]"),
        "abstract": first.get("AB"),
        "authors": [*(values.get("FAU") or values.get("AU", [])), *values.get("CN", [])],
        "date": first.get("DP"),
        "journal": first.get("JT") or first.get("TA"),
        "venue": first.get("JT") or first.get("TA"),
        "keywords": [*values.get("OT", []), *(heading.replace("*", "") for heading in values.get("MH", []))],
        "is_review": any(kind in _REVIEWS for kind in values.get("PT", [])),
    }
    paper = tidy_paper(fields)
    return replace(paper, provenance=(Provenance("pubmed", first.get("PMID") or paper.paper_id),))


def endnote_record(element: Element) -> Record:
    """Return a `record` element of EndNote's XML as a record with plainly named fields."""
    venue = _first(element, "periodical/full-title") or _first(element, "titles/secondary-title")
    return {
        "number": _first(element, "rec-number"),
        "title": _first(element, "titles/title"),
        "abstract": _first(element, "abstract"),
        "authors": _texts(element, "contributors/authors/author"),
        "year": _first(element, "dates/year"),
        "date": _first(element, "dates/pub-dates/date"),
        "journal": venue,
        "venue": venue,
        "keywords": _texts(element, "keywords/keyword"),
        "doi": _first(element, "electronic-resource-num"),
        "url": [*_texts(element, "urls//url"), *_texts(element, "accession-num")],
        "note": _texts(element, "notes"),
    }


def endnote_paper(record: Record) -> Paper:
    """Return the paper in a record made by `endnote_record`. Raises `Unusable` with the reason if it describes none."""
    paper = tidy_paper(record)
    return replace(paper, provenance=(Provenance("file", text_field(record, "number") or paper.paper_id),))


def tagged_values(record: Record) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return all cleaned values of each tag in a record, and the first value of each tag; empty values are left out."""
    values = {
        tag: [text for text in map(clean, texts) if text] for tag, texts in record.items() if isinstance(texts, list)
    }
    return values, {tag: texts[0] for tag, texts in values.items() if texts}


def _texts(element: Element, path: str) -> list[str]:
    texts = (clean("".join(child.itertext())) for child in element.findall(path))
    return [text for text in texts if text]


def _first(element: Element, path: str) -> str | None:
    return next(iter(_texts(element, path)), None)
