"""NASA ADS documents as papers, from the JSON of its search results, and the marks that identify its exports in other
formats.

ADS's terms of use do not allow copies, so a record in a file keeps ADS as its source.
"""

import re
from collections.abc import Iterable

from pathfinder.corpus.schemas.fields import Record, clean
from pathfinder.corpus.schemas.tidy import hosted_paper
from pathfinder.text.identifiers import arxiv_id_in, bibcode_in
from pathfinder.types import Paper, Provenance

_DIVIDED_ARCHIVES = (
    "Astrophysics|Computer Science|Condensed Matter|Economics|Electrical Engineering and Systems Science|"
    "High Energy Physics|Mathematics|Nonlinear Sciences|Physics|Quantitative Biology|Quantitative Finance|Statistics"
)
_WHOLE_ARCHIVES = (
    "General Relativity and Quantum Cosmology|Mathematical Physics|Nuclear Experiment|Nuclear Theory|Quantum Physics"
)
_WITH_COMMAS = (
    "Computational Engineering, Finance, and Science|Data Analysis, Statistics and Probability|"
    "Distributed, Parallel, and Cluster Computing"
)
_CATEGORY = re.compile(
    rf"(?<![^,;\n])[^\S\n]*+(?:(?:{_DIVIDED_ARCHIVES})\s+-\s+(?:{_WITH_COMMAS}|[A-Z][^,;\n]*)|{_WHOLE_ARCHIVES})\s*+(?![^,;\n])"
)
"""The name of a category of arXiv, which ADS lists among the keywords of its papers: "Physics - Optics"."""
_SELF = re.compile(r"astrophysics data system|\bnasa ads\b|\badsabs\b", re.IGNORECASE)


def provenance_in_file(record_id: str, marks: Iterable[str | None]) -> tuple[Provenance, ...]:
    """Return the provenance of a record in a file: ADS if one of `marks`, the fields in which exports name their
    provider, says so; otherwise the file.
    """
    is_of_ads = any(mark and _SELF.search(mark) for mark in marks)
    return (Provenance("ads" if is_of_ads else "file", record_id),)


def without_categories(keywords: str) -> str:
    """Return a keyword, or several between commas, semicolons or line breaks, without the names of arXiv's categories;
    the signs between them are kept.
    """
    return _CATEGORY.sub("", keywords)


def is_ads_record(record: Record) -> bool:
    """Return whether `record` has the fields that only ADS documents have."""
    return "bibcode" in record and isinstance(record.get("title"), list)


def ads_paper(record: Record) -> Paper:
    """Return the paper that a document describes. Raises `Unusable` with the reason if it describes none.

    ADS dates a paper as 2020-05-00 if only the month is known; in that case only the year is used.
    """
    bibcode = _first(record, "bibcode")
    identifiers = _all(record, "identifier")
    properties = _all(record, "property")
    others = {name for name in map(bibcode_in, identifiers) if name and name != bibcode}
    fields = {
        "id": bibcode,
        "title": _first(record, "title"),
        "abstract": _first(record, "abstract"),
        "authors": _all(record, "author"),
        "n_authors": record.get("author_count"),
        "year": _first(record, "year"),
        "date": _first(record, "pubdate"),
        "journal": _first(record, "pub"),
        "venue": _first(record, "pub"),
        "volume": _first(record, "volume"),
        "pages": _first(record, "page_range") or _first(record, "page"),
        "categories": _all(record, "arxiv_class"),
        "keywords": [*map(without_categories, _all(record, "keyword"))],
        "citation_count": record.get("citation_count"),
        "bibcode": bibcode,
        "doi": " ".join(_all(record, "doi")),
        "arxiv_id": next(filter(None, (arxiv_id_in(name, is_marked=True) for name in identifiers)), None),
        "refereed": "REFEREED" in properties if properties else None,
        "other_ids": [f"bibcode:{name}" for name in sorted(others)],
        "is_review": _first(record, "doctype") == "review",
        "ref_bibcodes": _all(record, "reference"),
    }
    return hosted_paper(fields, "ads", bibcode, _first(record, "indexstamp"))


def _all(record: Record, name: str) -> list[str]:
    value = record.get(name)
    items = value if isinstance(value, list) else [] if value is None else [value]
    return [text for text in (clean(str(item)) for item in items) if text]


def _first(record: Record, name: str) -> str | None:
    return next(iter(_all(record, name)), None)
