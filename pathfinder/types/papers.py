"""What there is to find."""

import datetime
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper, as its source describes it. `None` or an empty tuple means: the source does not say."""

    paper_id: str
    title: str
    """May hold LaTeX, as published."""
    abstract: str
    """The abstract, or, where `is_summary`, a summary written by someone else."""
    is_summary: bool = False
    authors: tuple[str, ...] = ()
    """As the source spells them; where `n_authors` is larger, the source names only the first ones."""
    n_authors: int | None = None
    year: int | None = None
    date: datetime.date | None = None
    """The day it became public; `None` when only the year is known."""
    journal: str | None = None
    categories: tuple[str, ...] = ()
    """arXiv categories."""
    subjects: tuple[str, ...] = ()
    """Keywords that authors, publishers or curators gave it."""
    keywords: tuple[str, ...] = ()
    """Up to 20 phrases that TextRank finds in title and abstract, best first."""
    citation_count: int | None = None
    citation_rank_in_year: int | None = None
    """Place among the papers of its year by citations; 0 is the most cited."""
    is_review: bool = False
    bibcode: str | None = None
    arxiv_id: str | None = None
    doi: str | None = None

    @property
    def text(self) -> str:
        """What is embedded and searched: title and abstract."""
        return f"{self.title.rstrip('.')}. {self.abstract}"

    @property
    def published(self) -> datetime.date | None:
        """The date that its age is counted from; a year alone counts as 1 July."""
        if self.date is None and self.year is not None:
            return datetime.date(self.year, 7, 1)
        return self.date
