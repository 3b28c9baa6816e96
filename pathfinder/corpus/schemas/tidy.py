"""Papers from records with plainly named fields: tidy JSON lines, tables, landmarks, BEIR corpora. The schemas of all
other formats and hosts name their fields like this, too, so that a value is read alike wherever it comes from.

    id, _id or paper_id; in their absence, the paper is stored under its first identifier (see `chosen_id`)
    title: required
    abstract or text; in their absence, summary; is_summary
    authors or author: a list, or one text with ";" between the names; n_authors: a whole number
    year, month, day, date or published, in any form; journal, venue; refereed
    bibcode, arxiv_id, doi, openalex_id, pmid, pmcid; other_ids, each as scheme:id
    url, link and others in `ADDRESSES`, note and others in `NOTES`: an identifier that stands only there counts
    categories: those of arXiv; keywords, subjects, fields, missions: subjects of the paper
    citation_count or citations; citation_rank_in_year; is_review
    status: withdrawn or retracted; status_from: who says so. In its absence, the title, the abstract, the notes and
        publication_types (such as "Retracted Publication") may say so
    references: a list of scheme:id, or of ids of papers in the same corpus; ref_bibcodes: a list of bibcodes

A record with only a title becomes a paper without an abstract. Tags, entities and placeholders such as "NA" are no part
of a value, and an unreadable number or date is left out. Other fields are ignored.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pathfinder.corpus.network.works import ID_SCHEME, SCHEMES
from pathfinder.corpus.schemas.dates import read_date
from pathfinder.corpus.schemas.fields import (
    NULLS,
    Record,
    Unusable,
    clean,
    count_field,
    flag_field,
    list_field,
    scalar_field,
    text_field,
    value_field,
)
from pathfinder.text.identifiers import (
    arxiv_id_in,
    arxiv_id_of_doi,
    bare_arxiv_id,
    bibcode_in,
    dois_in,
    is_arxiv_id,
    pmcid_in,
    pmid_in,
)
from pathfinder.text.markup import without_markup
from pathfinder.types import Paper

ID_FIELDS = ("id", "_id", "paper_id")
STATES = ("withdrawn", "retracted")
ABSTRACT_FIELDS = ("abstract", "text")
ADDRESSES = ("url", "urls", "link", "links", "howpublished", "eprint")
NOTES = ("note", "notes", "extra")

_ID_ORDER = ("arxiv_id", "doi", "bibcode", "openalex_id", "pmid")
_OF_ANOTHER = re.compile(
    r"\b(?:errat|corrig|correction|addendum|comment(?:ary)? (?:on|to)|reply|response|rebuttal|supplement|dataset|"
    r"data\b|code\b|software|see\b|cf\b|also\b|based on|cit(?:ed|es)|review of|related|part of|original)",
    re.IGNORECASE,
)
"""Words with which a note gives the identifier of another work."""
_WORDS_OF_NOTE = 12
"""Maximum number of words in a line of a note whose identifier is that of the paper."""
_ARXIV = re.compile(r"arxiv|xxx\.lanl", re.IGNORECASE)
_PMID = re.compile(r"(\d{1,8})(?:\.0+)?")
_OPENALEX = re.compile(r"(?:https?://(?:api\.)?openalex\.org/(?:works/)?)?(W\d+)", re.IGNORECASE)
_STATES_OF_WORDS = {"retracted": "retracted", "removed": "retracted", "withdrawn": "withdrawn"}
_MARKED_TITLE = re.compile(
    r"""(?:\s*<[^<>]{1,30}>)*\W*+(?:
        (?i:(retracted)(?:[ ](?:article|paper|publication|chapter))?)(?:</\w+>)?\s*[\]):.-]
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
_EXTRA_LINE = re.compile(r"[ \t]*((?:tex\.)?[A-Za-z][A-Za-z _-]{1,30}?)[ \t]*[:=][ \t]*(\S.*)")
_GAP = re.compile(r"[\s_-]+")
_EXTRA = {
    "arxivid": "arxiv_id",
    "eprint": "arxiv_id",
    "citation key": "own_id",
    "citekey": "own_id",
    "publication title": "journal",
    "container title": "journal",
    "journal": "journal",
    "journaltitle": "journal",
    "booktitle": "journal",
    "issued": "date",
    "date": "date",
    "original date": "date",
    "abstract": "abstract",
}
"""What the lines of Zotero's field Extra give besides identifiers, by their labels: lower case, with spaces, without
the "tex." of Better BibTeX.
"""
_NO_TITLE = re.compile(r"\W*(?:no title|title not|not) available\W*", re.IGNORECASE)


def tidy_paper(record: Record) -> Paper:
    """Return the paper that `record` describes. Raises `Unusable` with the reason if it describes none.

    `own_id` in a record is an id that counts only if the paper has no identifier, such as a citation key.
    """
    record = with_extra(record)
    title = clean(without_markup(text_field(record, "title") or ""))
    title = require(None if _NO_TITLE.fullmatch(title) else title or None, "no title")
    abstract, summary = value_field(record, *ABSTRACT_FIELDS), value_field(record, "summary")
    published = scalar_field(record, "date") or scalar_field(record, "published")
    year, date = read_date(published, *(scalar_field(record, name) for name in ("year", "month", "day")))
    identifiers, other_ids = _identifiers(record)
    status, status_from = text_field(record, "status"), text_field(record, "status_from")
    if status not in STATES:
        types = list_field(record, "publication_types")
        status, status_from = stated_status(title, abstract or "", types, tuple(_lines(record, NOTES)))
    return Paper(
        paper_id=stated_id(record) or chosen_id(identifiers, value_field(record, "own_id"), title, year),
        title=title,
        abstract=abstract or summary or "",
        is_summary=bool(flag_field(record, "is_summary")) or (abstract is None and summary is not None),
        authors=list_field(record, "authors", "author", is_set=False),
        n_authors=count_field(record, "n_authors"),
        year=year,
        date=date,
        journal=value_field(record, "journal"),
        venue=value_field(record, "venue"),
        categories=list_field(record, "categories", separators=" ,;"),
        subjects=list_field(record, "keywords", "subjects", "fields", "missions"),
        citation_count=count_field(record, "citation_count", "citations"),
        citation_rank_in_year=count_field(record, "citation_rank_in_year"),
        is_review=bool(flag_field(record, "is_review")),
        other_ids=other_ids,
        references=_references(record),
        refereed=flag_field(record, "refereed"),
        status=status,
        status_from=status_from,
        **identifiers,
    )


def with_extra(record: Record) -> Record:
    """Return a record with the fields that it lacks taken from Zotero's field Extra, in which people and programs write
    lines such as "Citation Key: smith2020" or "tex.eprint: 2001.00001".

    Formats without such a field hold these lines in a note; a line with another label, or with none, is left alone.
    """
    extra: dict[str, str] = {}
    for match in filter(None, map(_EXTRA_LINE.fullmatch, _lines(record, NOTES))):
        if name := _EXTRA.get(_GAP.sub(" ", match[1].lower().removeprefix("tex."))):
            extra.setdefault(name, clean(match[2]))
    if any(record.get(name) for name in ("year", "date", "published")):
        extra.pop("date", None)
    if "journal" in extra:
        extra["venue"] = extra["journal"]
    if "arxiv_id" in extra and not is_arxiv_id(extra["arxiv_id"]):
        del extra["arxiv_id"]
    return {**record, **{name: value for name, value in extra.items() if not record.get(name)}}


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
    stated = {name: scalar_field(record, name) for name in (*_ID_ORDER, "pmcid")}
    places = [*_lines(record, ADDRESSES), *filter(_is_of_paper, _lines(record, NOTES))]
    doi, *other_dois = dois_in(stated["doi"]) or _dois_in(places) or (None,)
    marked = (arxiv_id_in(place, is_marked=True) for place in (stated["doi"], *places) if _ARXIV.search(place))
    pmid = _PMID.fullmatch(stated["pmid"])
    openalex_id = _OPENALEX.fullmatch(stated["openalex_id"])
    identifiers = {
        "bibcode": bibcode_in(stated["bibcode"])
        or stated["bibcode"]
        or next(filter(None, map(bibcode_in, places)), None),
        "arxiv_id": arxiv_id_in(stated["arxiv_id"])
        or bare_arxiv_id(stated["arxiv_id"])
        or next(filter(None, marked), None),
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
            yield from (line for line in (text.splitlines() if isinstance(text, str) else ()) if line.strip())


def _is_of_paper(note: str) -> bool:
    return len(note.split()) <= _WORDS_OF_NOTE and not _OF_ANOTHER.search(note)


def _dois_in(places: Iterable[str]) -> tuple[str, ...]:
    """Return the DOI in the first place that has one; arXiv's own says no more than the arXiv id."""
    dois = (doi for place in places for doi in dois_in(place) if not arxiv_id_of_doi(doi))
    return tuple([doi] if (doi := next(dois, None)) else [])


def _references(record: Record) -> tuple[str, ...]:
    """Return the works that a paper cites; a reference without a scheme is the id of a paper. Some programs write
    entries that are neither texts nor whole numbers; these are left out.
    """
    names = [clean(str(name)) for name in _plain_items(record.get("references"))]
    keys = [name if name.partition(":")[0].lower() in SCHEMES else f"{ID_SCHEME}:{name}" for name in names if name]
    bibcodes = [f"bibcode:{clean(str(name))}" for name in _plain_items(record.get("ref_bibcodes"))]
    return tuple(dict.fromkeys([*keys, *bibcodes]))


def _plain_items(value: object) -> list[object]:
    is_plain = isinstance(value, list) and all(isinstance(item, str | int) for item in value)
    return list(value) if is_plain else []  # type: ignore[call-overload]


def require(value: str | None, reason: str) -> str:
    """Return `value`. Raises `Unusable` with the reason if it is missing."""
    if value is None:
        raise Unusable(reason)
    return value
