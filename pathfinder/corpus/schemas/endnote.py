"""Records of EndNote's XML as papers; the text is inside `style` elements, which specify how it is printed."""

from dataclasses import replace
from xml.etree.ElementTree import Element

from pathfinder.corpus.schemas.fields import Record, clean, text_field
from pathfinder.corpus.schemas.loose_fields import chosen_id, loose_date
from pathfinder.corpus.schemas.tidy import tidy_paper
from pathfinder.text.identifiers import arxiv_id_in, bare_doi, bibcode_in
from pathfinder.types import Paper, Provenance


def endnote_record(element: Element) -> Record:
    """Return a `record` element as a record with plainly named fields."""
    places = [*_texts(element, "urls//url"), *_texts(element, "accession-num"), *_texts(element, "notes")]
    venue = _first(element, "periodical/full-title") or _first(element, "titles/secondary-title")
    day = _first(element, "dates/pub-dates/date")
    year, date = loose_date(day, _first(element, "dates/year"))
    return {
        "number": _first(element, "rec-number"),
        "title": _first(element, "titles/title"),
        "abstract": _first(element, "abstract"),
        "authors": _texts(element, "contributors/authors/author"),
        "year": year,
        "date": date,
        "journal": venue,
        "venue": venue,
        "keywords": _texts(element, "keywords/keyword"),
        "doi": bare_doi(_first(element, "electronic-resource-num")),
        "arxiv_id": next(filter(None, (arxiv_id_in(place, is_marked=True) for place in places)), None),
        "bibcode": next(filter(None, map(bibcode_in, places)), None),
    }


def endnote_paper(record: Record) -> Paper:
    """Return the paper in a record made by `endnote_record`. Raises `Unusable` with the reason if it describes none."""
    paper = tidy_paper({**record, "id": chosen_id(record)})
    return replace(paper, provenance=(Provenance("file", text_field(record, "number") or paper.paper_id),))


def _texts(element: Element, path: str) -> list[str]:
    texts = (clean("".join(child.itertext())) for child in element.findall(path))
    return [text for text in texts if text]


def _first(element: Element, path: str) -> str | None:
    return next(iter(_texts(element, path)), None)
