"""Papers as they are stored and searched."""

import datetime
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Provenance:
    """Origin of a paper's record, and its licence."""

    source: str
    """Scheme of the source, such as "openalex", or "file"."""
    record_id: str
    """Id of the record at its source."""
    version: str | None = None
    """Version of the record at its source: "v2", a number, or the day of its last change."""
    retrieved: datetime.date | None = None
    licence: str | None = None
    """Licence of the metadata, such as "CC0-1.0"; `None` if unknown, in which case the whole record must not be passed
    on.
    """


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper as described by its source. `None` or an empty tuple means that the source provides no value."""

    paper_id: str
    title: str
    """Title as published; may contain LaTeX."""
    abstract: str
    """The abstract or, if `is_summary`, a summary written by someone else; empty if only the title is known."""
    is_summary: bool = False
    authors: tuple[str, ...] = ()
    """Authors as spelled by the source; if `n_authors` is larger, the source lists only the first few."""
    n_authors: int | None = None
    year: int | None = None
    date: datetime.date | None = None
    """Day of publication; `None` if only the year is known."""
    journal: str | None = None
    categories: tuple[str, ...] = ()
    """arXiv categories."""
    subjects: tuple[str, ...] = ()
    """Keywords assigned by authors, publishers or curators."""
    keywords: tuple[str, ...] = ()
    """Up to 20 phrases that TextRank finds in the title and abstract, best first."""
    citation_count: int | None = None
    citation_rank_in_year: int | None = None
    """Rank by citations among the papers of the same year; 0 is the most cited."""
    is_review: bool = False
    bibcode: str | None = None
    arxiv_id: str | None = None
    doi: str | None = None
    openalex_id: str | None = None
    """Id in OpenAlex, such as "W2741809807"."""
    pmid: str | None = None
    """Id in PubMed, digits only."""
    other_ids: tuple[str, ...] = ()
    """Further identifiers, as `scheme:id`: a second DOI, the bibcode of the preprint, "pmcid:PMC1234"."""
    venue: str | None = None
    """Name of the journal, conference or series; `journal` may also hold volume and pages, as written in the source."""
    refereed: bool | None = None
    """True if it passed peer review; `None` if the source does not say."""
    preprint_date: datetime.date | None = None
    """Day of the first preprint, if the source gives it separately from the day of publication."""
    citations_from: str | None = None
    """Source of the citation count, such as "openalex"."""
    citations_on: datetime.date | None = None
    """Day on which the citations were counted."""
    references: tuple[str, ...] = ()
    """The works that it cites, as `scheme:id`: "doi:10.1/x", "openalex:W1", "bibcode:2020A&A...641A...6P"."""
    status: str | None = None
    """"withdrawn" or "retracted"; `None` if no source says so."""
    status_from: str | None = None
    """Sources of the status: "arxiv", "openalex", "publisher, retraction-watch"."""
    provenance: tuple[Provenance, ...] = ()
    """The records that describe it; several if records from different sources were merged."""

    @property
    def text(self) -> str:
        """Text to embed and search: title and abstract."""
        return text_of(self.title, self.abstract)

    @property
    def has_abstract(self) -> bool:
        """True if the paper has an abstract or a summary besides its title."""
        return bool(self.abstract)

    @property
    def kind_of_text(self) -> str:
        """What `abstract` holds, in a word: "summary" if someone else wrote it, or else "abstract"."""
        return "summary" if self.is_summary else "abstract"

    def quoted(self, part: str, address: str | None = None) -> str:
        """Write a part of its text with what it is from: in quotation marks if the paper says it, but not if it is from
        a summary. `address` is the section and page of a part of the full text.
        """
        return part + " (summary)" if address is None and self.is_summary else f"“{part}” ({address or 'abstract'})"

    @property
    def warning(self) -> str | None:
        """Warning that a paper was withdrawn or retracted, with the source: "retracted, says openalex"; `None` for
        other papers.
        """
        says = f", says {self.status_from}" if self.status_from else ""
        return f"{self.status}{says}" if self.status else None

    @property
    def known_year(self) -> int | None:
        """Year of the paper or, if only a date is known, the year of its date."""
        return self.date.year if self.year is None and self.date is not None else self.year

    @property
    def published(self) -> datetime.date | None:
        """Date from which its age is counted; if only the year is known, 1 July of that year."""
        if self.date is None and self.year is not None:
            return datetime.date(self.year, 7, 1)
        return self.date


def text_of(title: str, abstract: str) -> str:
    """Return the text of a paper: its title as a sentence, then its abstract."""
    return f"{title.rstrip('.')}. {abstract}"
