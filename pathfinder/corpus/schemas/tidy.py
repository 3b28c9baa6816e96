"""Papers from records with plainly named fields: tidy JSON lines, tables, landmarks, BEIR corpora. The schemas of all
other formats and hosts name their fields like this, too, so that a value is read alike wherever it comes from.

    id, _id or paper_id; in their absence, the paper is stored under its first identifier (see `chosen_id`)
    title: required
    abstract or text; in their absence, summary; is_summary
    authors or author: a list, or one text with several names (`author_lists.py`); n_authors: a whole number
    omits_authors: true if there are others, as "et al." at the end of the authors says, too
    year, month, day, date or published, in any form; journal, venue, volume, pages, or page and last_page; refereed
    bibcode, arxiv_id, doi, openalex_id, pmid, pmcid; other_ids, each as scheme:id
    url, link and others like `ADDRESS`, note and others in `NOTES`: an identifier that stands only there counts
    categories: those of arXiv; keywords, subjects, fields, missions, objects: subjects of the paper
    citation_count or citations; citation_rank_in_year; is_review
    licence or license: that of the metadata
    status: withdrawn or retracted; status_from: who says so. In its absence, the title, the abstract, the notes and
        publication_types (such as "Retracted Publication") may say so
    references: a list of scheme:id, or of ids of papers in the same corpus; ref_bibcodes: a list of bibcodes

A record with only a title becomes a paper without an abstract. Tags, entities and placeholders such as "NA" are no part
of a value, and an unreadable number or date is left out. Other fields are ignored.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pathfinder.corpus.network.writing import ID_SCHEME, SCHEMES
from pathfinder.corpus.schemas.author_lists import leaves_out_authors
from pathfinder.corpus.schemas.dates import read_date
from pathfinder.corpus.schemas.fields import (
    Record,
    Unusable,
    authors_field,
    clean,
    count_field,
    flag_field,
    list_field,
    scalar_field,
    text_field,
    value_field,
    whole_number,
)
from pathfinder.corpus.schemas.markup import without_markup
from pathfinder.corpus.schemas.placeholders import NULLS
from pathfinder.text.identifiers import (
    arxiv_id_in,
    arxiv_id_of_doi,
    bibcode_in,
    dois_in,
    pmcid_in,
    pmid_in,
)
from pathfinder.types import Paper, Provenance

ID_FIELDS = ("id", "_id", "paper_id")
STATES = ("withdrawn", "retracted")
ABSTRACT_FIELDS = ("abstract", "text")
ADDRESS = re.compile(
    r"(?:(?:(?:primary|best_oa)_)?locations?\.|open_access\.)?(?:(?:doi|article|paper|publication|preprint|full_?text|"
    r"embase|open_url|source|record|external|abs|abstract|pdf|html|landing_page|oa|arxiv|ads)_?)?(?:ur[il]|link)(?:s|\(s\))?|"
    r"landing_page|externalids|howpublished|eprint"
)
"""The whole name of a field with an address of the paper itself, as Embase, OpenAlex, Lens and others write it."""
NOTES = ("note", "notes", "extra")

_ID_ORDER = ("arxiv_id", "doi", "bibcode", "openalex_id", "pmid")
_OF_ANOTHER = re.compile(
    r"\b(?:errat|corrig|correction|addendum|comment(?:ary)? (?:on|to)|reply|response|rebuttal|supplement|dataset|"
    r"data\b|code\b|software|see\b|cf\b|also\b|based on|cit(?:ed|es)|review of|related|part of|original)",
    re.IGNORECASE,
)
"""Words with which a note gives the identifier of another work."""
_CITED = re.compile(
    r"(?:^\s{0,9}cited by(?:\s{0,2}:|(?=\s\d{1,8}\s*(?:;|$)))|\btimes cited[^:\d]{0,60}:)\s{0,9}"
    r"(\d{1,3}(?:,\d{3})+|\d{1,8})\b",
    re.IGNORECASE,
)
"""How Scopus and Web of Science note the number of citations in RIS and BibTeX."""
_WORDS_OF_NOTE = 12
"""Maximum number of words in a line of a note whose identifier is that of the paper."""
_LONGEST_PLACE = 1000
"""Maximum number of characters of a field or line in which an identifier is looked for."""
_ARXIV = re.compile(r"arxiv|xxx\.lanl", re.IGNORECASE)
_PMID = re.compile(r"(\d{1,8})(?:\.0+)?")
_OPENALEX = re.compile(r"(?:https?://(?:api\.)?openalex\.org/(?:works/)?)?(W\d+)", re.IGNORECASE)
_RANGE = re.compile(r"\s?[-–—]+\s?")
_NUMBERS = re.compile(r"\w+")
_SCALAR = (str, int, float)
_LONGEST_VOLUME, _LONGEST_PAGES = 20, 40
"""Number of characters above which a text is no volume, or no pages."""
_NO_TITLE = re.compile(r"\W*(?:no title|title not|not) available\W*", re.IGNORECASE)


def tidy_paper(record: Record) -> Paper:
    """Return the paper that `record` describes. Raises `Unusable` with the reason if it describes none.

    `own_id` in a record is an id that counts only if the paper has no identifier, such as a citation key.
    """
    notes = tuple(_lines(record, NOTES))
    title = clean(without_markup(text_field(record, "title") or ""))
    title = require(None if _NO_TITLE.fullmatch(title) else title or None, "no title")
    abstract, summary = value_field(record, *ABSTRACT_FIELDS), value_field(record, "summary")
    published = scalar_field(record, "date") or scalar_field(record, "published")
    year_text = scalar_field(record, "year")
    year_text = str(whole_number(year_text) or year_text)
    year, date = read_date(published, year_text, scalar_field(record, "month"), scalar_field(record, "day"))
    identifiers, other_ids = _identifiers(record)
    status, status_from = text_field(record, "status"), text_field(record, "status_from")
    if status not in STATES:
        types = list_field(record, "publication_types")
        status, status_from = stated_status(title, abstract or "", types, notes)
    paper_id = stated_id(record) or chosen_id(identifiers, value_field(record, "own_id"), title, year)
    noted = next((match[1] for note in notes if (match := _CITED.search(note))), None)
    journal, venue = _journal(record)
    licence = text_field(record, "licence") or text_field(record, "license")
    # Without a scheme, a reference is the id of a paper; entries that are neither texts nor whole numbers are left out.
    names = [clean(str(name)) for name in _plain_items(record.get("references"))]
    keys = [name if name.partition(":")[0].lower() in SCHEMES else f"{ID_SCHEME}:{name}" for name in names if name]
    bibcodes = [f"bibcode:{clean(str(name))}" for name in _plain_items(record.get("ref_bibcodes"))]
    return Paper(
        paper_id=paper_id,
        title=title,
        abstract=abstract or summary or "",
        is_summary=bool(flag_field(record, "is_summary")) or (abstract is None and summary is not None),
        authors=authors_field(record, "authors", "author"),
        n_authors=count_field(record, "n_authors"),
        omits_authors=flag_field(record, "omits_authors")
        or any(leaves_out_authors(record.get(name)) for name in ("authors", "author"))
        or None,
        year=year,
        date=date,
        journal=journal,
        venue=venue,
        categories=list_field(record, "categories", separators=" ,;"),
        subjects=list_field(record, "keywords", "subjects", "fields", "missions", "objects"),
        citation_count=count_field({**record, "noted": noted}, "citation_count", "citations", "noted"),
        citation_rank_in_year=count_field(record, "citation_rank_in_year"),
        is_review=bool(flag_field(record, "is_review")),
        other_ids=other_ids,
        references=tuple(dict.fromkeys([*keys, *bibcodes])),
        refereed=flag_field(record, "refereed"),
        status=status,
        status_from=status_from,
        bibcode=identifiers["bibcode"],
        arxiv_id=identifiers["arxiv_id"],
        doi=identifiers["doi"],
        openalex_id=identifiers["openalex_id"],
        pmid=identifiers["pmid"],
        provenance=(Provenance("file", paper_id, licence=licence),) if licence else (),
    )


def hosted_paper(
    fields: Record, source: str, record_id: str | None, version: str | None = None, licence: str | None = None
) -> Paper:
    """Return the paper that `fields` describe, as `tidy_paper` does, with its host as the source of the record and of
    any number of citations.
    """
    paper = tidy_paper(fields)
    citations_from = source if paper.citation_count is not None else None
    provenance = (Provenance(source, record_id or paper.paper_id, version, licence=licence),)
    return replace(paper, citations_from=citations_from, provenance=provenance)


def _journal(record: Record) -> tuple[str | None, str | None]:
    """Return the journal with volume and pages, "MNRAS 322, 231-246", and its name alone; the name is `None` where the
    record gives no volume or page of its own, as in a reference that is one text.
    """
    journal, venue = value_field(record, "journal"), value_field(record, "venue")
    volume, pages, page, last_page = (
        _RANGE.sub("-", scalar_field(record, name).removesuffix(".0")).strip("-")
        if isinstance(record.get(name), _SCALAR)
        else ""
        for name in ("volume", "pages", "page", "last_page")
    )
    pages = pages or (f"{page}-{last_page}" if page and last_page not in ("", page) else page)
    if not journal or not (volume or pages) or len(volume) > _LONGEST_VOLUME or len(pages) > _LONGEST_PAGES:
        return journal, venue
    numbers = _NUMBERS.findall(journal)
    if volume and volume in numbers:  # a reference in one text, or a series with its number: "IAU Symposium 277"
        numbers.remove(volume)
        first = _NUMBERS.search(pages)
        return (journal, venue) if not first or first[0] in numbers else (f"{journal}, {pages}", venue or journal)
    return ", ".join(filter(None, (f"{journal} {volume}".strip(), pages))), venue or journal


def stated_id(record: Record) -> str | None:
    """Return the id that a record gives itself; `None` if it has none but a placeholder."""
    names = (text_field(record, name) for name in ID_FIELDS)
    return next((name for name in names if name and name.casefold() not in NULLS), None)


def chosen_id(identifiers: Mapping[str, str | None], own_id: str | None, title: str, year: int | None) -> str:
    """Return the id under which the paper in a record is stored: its arXiv id, DOI (in lower case), bibcode, OpenAlex
    id or PubMed id.

    If it has none of these, `own_id` is used: a citation key, for example, which may refer to a different paper in
    another file. Without that, the paper gets an id made from its title and year, which is the same in every file.
    """
    for name in _ID_ORDER:
        if identifier := identifiers.get(name):
            return identifier.lower() if name == "doi" else identifier
    return own_id or f"title-{hashlib.sha256(f'{title} {year}'.casefold().encode()).hexdigest()[:12]}"


def _identifiers(record: Record) -> tuple[dict[str, str | None], tuple[str, ...]]:
    """Return the identifiers of a paper by field, and its further ones as `scheme:id`.

    What the record states in the field of an identifier counts first, then its addresses, then its notes.
    """
    stated = {name: scalar_field(record, name)[:_LONGEST_PLACE] for name in (*_ID_ORDER, "pmcid")}
    places = [*_lines(record, filter(ADDRESS.fullmatch, record)), *filter(_is_of_paper, _lines(record, NOTES))]
    # Of the addresses and notes, the first DOI counts; arXiv's own says no more than the arXiv id.
    placed = next((doi for place in places for doi in dois_in(place) if not arxiv_id_of_doi(doi)), None)
    doi, *other_dois = dois_in(stated["doi"]) or (placed,)
    marked = (arxiv_id_in(place, is_marked=True) for place in (stated["doi"], *places) if _ARXIV.search(place))
    pmid = _PMID.fullmatch(stated["pmid"])
    openalex_id = _OPENALEX.fullmatch(stated["openalex_id"])
    identifiers = {
        "bibcode": bibcode_in(stated["bibcode"])
        or stated["bibcode"]
        or next(filter(None, map(bibcode_in, places)), None),
        "arxiv_id": arxiv_id_in(stated["arxiv_id"]) or next(filter(None, marked), None),
        "doi": doi,
        "openalex_id": openalex_id[1].upper() if openalex_id else stated["openalex_id"] or None,
        "pmid": pmid[1] if pmid else next(filter(None, map(pmid_in, (stated["pmid"], *places))), None),
    }
    pmcid = next(filter(None, map(pmcid_in, (stated["pmcid"], *places))), None)
    others = (*list_field(record, "other_ids"), *(f"doi:{other}" for other in other_dois))
    return identifiers, tuple(dict.fromkeys((*others, *([f"pmcid:{pmcid}"] if pmcid else []))))


def _lines(record: Record, names: Iterable[str]) -> Iterator[str]:
    """Yield the lines of fields that hold a text or a list of texts; values of other types are left out."""
    for name in names:
        if not (value := record.get(name)):
            continue
        for text in value if isinstance(value, list) else [value]:
            yield from (
                line[:_LONGEST_PLACE] for line in (text.splitlines() if isinstance(text, str) else ()) if line.strip()
            )


def _is_of_paper(note: str) -> bool:
    return len(note.split()) <= _WORDS_OF_NOTE and not _OF_ANOTHER.search(note)


def _plain_items(value: object) -> list[object]:
    is_plain = isinstance(value, list) and all(isinstance(item, str | int) for item in value)
    return list(value) if is_plain else []  # type: ignore[call-overload]


def require(value: str | None, reason: str) -> str:
    """Return `value`. Raises `Unusable` with the reason if it is missing."""
    if value is None:
        raise Unusable(reason)
    return value


# What a record itself says of a retraction or a withdrawal of its paper.

_STATES_OF_WORDS = {"retracted": "retracted", "removed": "retracted", "withdrawn": "withdrawn"}
_MARKED_TITLE = re.compile(
    r"""\W*+(?:
        (?i:(retracted)(?:[ ](?:article|paper|publication|chapter))?)\s*[\]):.-]
      | (?i:(retracted|withdrawn)[ ](?:article|paper|publication|chapter))\s
      | (RETRACTED)(?=\s+[^\W\d_](?![A-Z]))
      | (?:(WITHDRAWN|REMOVED)\s*:)
      | (?<=\[)(?i:(withdrawn|removed)(?:[ ]article)?)\]
    )""",
    re.VERBOSE,
)
"""The beginning of a title to which a publisher has added that the paper was retracted or withdrawn."""
_MARK_AFTER_TITLE = re.compile(
    r"""(?:[\[(](retracted|withdrawn)\b[^\[\]()]*(?:\([^()]*\)[^\[\]()]*)?[\])]|[:.\u2013\u2014-]\s*(retracted)(?:\s+article)?)\W*+\Z""",
    re.IGNORECASE,
)
"""Such an addition at the end, as Web of Science writes it: "(Retracted article. See vol. 5, 2010)"."""
_LONGEST_MARK = 300
_TYPE = re.compile(r"(retracted|withdrawn)(?:\s(?:article|paper|publication))?", re.IGNORECASE)
_TYPE_OF_NOTICE = re.compile(r"retraction(?:\s(?:of publication|notice|note))?", re.IGNORECASE)
_PAPER = r"(?:article|paper|publication|work|study|manuscript|preprint)"
_REMARK = re.compile(
    rf"\W*+(?:(retracted|withdrawn)(?:\s{_PAPER})?\s*(?:\Z|[.,:;()\[\]\d]|(?:see|by|on|in|at|due|because|from|after)\b)"
    r"|(retract)ion\s+in\s*:)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    rf"\W*+th(?:is|e)\s{_PAPER}\s(?:has\sbeen|was|is)\s(?:formally\s)?(retracted|withdrawn)\b", re.IGNORECASE
)
"""The sentence with which an abstract or a remark says so."""


def stated_status(
    title: str, abstract: str = "", publication_types: Sequence[str] = (), remarks: Sequence[str] = ()
) -> tuple[str | None, str | None]:
    """Return the status that a record itself states, and whether its title or another field says so; `None` for both if
    none does. The notice of a retraction is not a retracted paper.
    """
    types = [kind.strip() for kind in publication_types]
    if any(map(_TYPE_OF_NOTICE.fullmatch, types)):
        return None, None
    stated = [(match, "its record") for match in map(_TYPE.fullmatch, types)]
    stated += [
        (_MARKED_TITLE.match(title), "its title"),
        (_MARK_AFTER_TITLE.search(title[-_LONGEST_MARK:]), "its title"),
    ]
    stated += [(_REMARK.match(remark), "its record") for remark in remarks]
    stated += [(_SENTENCE.match(text), "its record") for text in (*remarks, abstract)]
    for match, source in stated:
        if match is not None:
            word = next(filter(None, match.groups())).lower()
            return _STATES_OF_WORDS.get(word, "retracted"), source
    return None, None
