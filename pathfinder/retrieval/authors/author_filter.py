"""Reads the authors named in a question as a filter, if the corpus has papers by them.

The rest of the question is searched for among their papers; if a question names nothing else, as in "papers by Riess",
the titles of their newest papers are searched for instead.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from pathfinder.corpus.papers import PaperTable
from pathfinder.index.authors import FIRST, AuthorName, family_first
from pathfinder.index.predicate import Predicate
from pathfinder.index.words import QUESTION_STOP_WORDS, words
from pathfinder.profile import Profile
from pathfinder.retrieval.authors.phrases import AuthorMention, mentions
from pathfinder.retrieval.known_items.titles import is_title
from pathfinder.retrieval.stages import StageLog
from pathfinder.retrieval.years.in_questions import MAX_WORDS, without_spans, years_named
from pathfinder.text.author_names import is_particle
from pathfinder.text.english import counted
from pathfinder.text.language.lexicon_tagger import read_lexicon
from pathfinder.text.latex.search_text import plain_text
from pathfinder.types import SearchRequest


@dataclass(frozen=True, slots=True)
class AuthorsNamed:
    """Authors whose papers a question asks for."""

    names: tuple[str, ...]
    """Names as written; a ^ before a name means that this author must be listed first."""
    words: str
    """Phrase in the question that names them; several phrases are joined by "…"."""
    spans: tuple[tuple[int, int], ...]
    """Positions of those phrases in the question."""
    year: int | None = None
    """Year of their paper, as in "Riess et al. 2022"."""
    is_sure: bool = True
    """False for words that might not be a name, as in "papers by hand"."""

    @property
    def description(self) -> str:
        """The names as text, without ^: "Riess" or "Riess, Freedman"."""
        return ", ".join(name.removeprefix("^") for name in self.names)


def authors_named(
    question: str, profile: Profile | None = None, papers: PaperTable | None = None
) -> AuthorsNamed | None:
    """Read the authors that `question` names: "papers by Riess", "Riess et al. 2022", "author:Riess".

    `None` if it names nobody or has more than 60 words. `profile` holds the field's names for things other than
    authors. The authors of `papers` are known by name; there may be no papers by the others.
    """
    phrases: list[AuthorMention] = []
    if len(question.split()) <= MAX_WORDS:
        phrases = mentions(question, profile, partial(_listed, papers))
    if not phrases:
        return None
    years = {mention.year for mention in phrases}
    return AuthorsNamed(
        tuple(dict.fromkeys(name for mention in phrases for name in mention.names)),
        " … ".join(question[mention.start : mention.end] for mention in phrases),
        tuple((mention.start, mention.end) for mention in phrases),
        years.pop() if len(years) == 1 else None,
        all(mention.is_sure for mention in phrases),
    )


MOST_SPELLINGS = 3
"""Maximum number of spellings that are shown of the authors who were found."""
MAX_TITLES = 5
"""Maximum number of titles used to represent the authors' work."""
_NO_TOPIC = QUESTION_STOP_WORDS | frozenset(
    "show list find give tell search see download papers paper articles publications work works all latest recent "
    "newest new old first last please many hold holds contain contains own library corpus collection "
    "contribute contributed discover discovered famous find found invent invented known measure measured predict "
    "predicted propose proposed prove proved show showed study studied".split()
)
"""Words that name nothing beside an author: "What did Riess discover?" asks for what his papers say."""
YEARS_APART = 1
"""Number of years by which the year of a citation may differ from the paper's: a preprint from 2021 may appear in a
journal in 2022.
"""


def authors_read(request: SearchRequest, papers: PaperTable, profile: Profile) -> AuthorsNamed | None:
    """Return the authors that the question names, if the corpus has papers by them, `reads_authors` is on, and the
    reader has set no authors; `None` also if the question is the title of a paper, which a filter by author might
    exclude.
    """
    author_names = authors_named(request.query, profile, papers) if request.reads_authors else None
    if author_names is None or is_title(request.query, papers):
        return None
    names = tuple(name for spelling in author_names.names for name in _in_corpus(spelling, papers))
    is_open = not request.authors or set(request.authors) == set(names)
    return replace(author_names, names=names) if names and is_open else None


def read_authors(request: SearchRequest, papers: PaperTable, log: StageLog, profile: Profile) -> SearchRequest:
    """Add the authors named in the question, and the year of their paper, to `request`, with notes that quote them;
    search for the rest of the question. Leave the request unchanged if the corpus has no paper by them.
    """
    named = authors_read(request, papers, profile)
    if named is None:
        _note_absence(request, papers, log, profile)
        return request
    authors = "author" if len(named.names) == 1 else "authors"
    by = papers.by_authors(named.names)
    found = f"{counted(int(by.mask.sum()), 'paper')}, by {'; '.join(by.spellings[:MOST_SPELLINGS])}"
    note = f'read as {authors}: {named.description} ({found}), from "{named.words}" in the question'
    log.note(f"{note}: turn reads_authors off to search all papers", says_filter=True)
    of_year = _of_year(replace(request, authors=named.names), named.year, papers, log)
    rest = without_spans(request.query, named.spans)
    return replace(of_year, query=rest if has_topic(rest) and rest != request.query else _titles(of_year, papers))


def of_authors(request: SearchRequest, papers: PaperTable, profile: Profile) -> SearchRequest:
    """Search for the titles of the authors' newest papers of these years if the question names nothing but years."""
    years = years_named(request.query, request.today, profile)
    if years is None or not {*words(request.query)} <= {*words(years.words)} | _NO_TOPIC:
        return request
    return replace(request, query=_titles(request, papers))


def has_topic(words_left: str) -> bool:
    """Return whether the remaining words of a question name anything that papers can be about."""
    return any(word not in _NO_TOPIC for word in words(words_left))


def _titles(request: SearchRequest, papers: PaperTable) -> str:
    """Return the titles of the authors' newest papers, which are searched for if the question names nothing else."""
    predicate = Predicate(request.year_from, request.year_to, authors=request.authors)
    mask = predicate.mask(len(papers), papers)
    rows = np.arange(len(papers)) if mask is None else np.flatnonzero(mask)
    newest = rows[np.argsort(-np.nan_to_num(papers.take(rows).years()), kind="stable")][:MAX_TITLES]
    return ". ".join(plain_text(title) for title in papers.take(newest).titles())


def _in_corpus(name: str, papers: PaperTable) -> Iterator[str]:
    """Yield `name` if the corpus has papers by that author. If the author must be listed first but never is, papers
    that list the author in any position count.
    """
    for spelling in dict.fromkeys((name, name.removeprefix(FIRST), *family_first(name.removeprefix(FIRST)))):
        if papers.by_authors((spelling,)).mask.any():
            yield spelling
            return


def _listed(papers: PaperTable | None, name: str) -> str | None:
    """Return the spelling by which the corpus has papers by an author called `name`.

    Where words may as well be something else ("Riess, Adams", "star formation"), an author list must have the given
    name written out.
    """
    if papers is None:
        return None
    is_doubtful = any(word in read_lexicon() and not is_particle(word) for word in name.split() if word.islower())
    for spelling in (name, *family_first(name)):
        author, written_out = AuthorName.of(spelling), is_doubtful or "," in spelling
        listed = map(AuthorName.of, papers.by_authors((spelling,)).spellings)
        if any(author.matches(other, is_written_out=written_out) for other in listed):
            return spelling
    return None


def _note_absence(request: SearchRequest, papers: PaperTable, log: StageLog, profile: Profile) -> None:
    """Add a note if the question definitely names authors but the corpus has no papers by them."""
    if not request.reads_authors or request.authors:
        return
    author_names = authors_named(request.query, profile, papers)
    if author_names is None or not author_names.is_sure or is_title(request.query, papers):
        return
    if not papers.property_counts("authors"):
        log.note(
            "the question names authors, but no paper in this corpus lists its authors, so all papers are searched"
        )
    else:
        log.note(
            f'no paper in this corpus is by {author_names.description} ("{author_names.words}"), '
            "so all papers are searched"
        )


def _of_year(request: SearchRequest, year: int | None, papers: PaperTable, log: StageLog) -> SearchRequest:
    """Limit `request` to the year of the authors' paper, or to that year and its neighbours, if there is such a
    paper.
    """
    if year is None or not request.reads_years or (request.year_from, request.year_to) != (None, None):
        return request
    for apart in (0, YEARS_APART):
        span = (year - apart, year + apart)
        mask = Predicate(*span, authors=request.authors).mask(len(papers), papers)
        if mask is not None and mask.any():
            if apart:
                log.note(f"none of their papers in this corpus is from {year}, so {span[0]} to {span[1]} are searched")
            return replace(request, year_from=span[0], year_to=span[1])
    log.note(f"none of their papers in this corpus is from {year}, so all years are searched")
    return request
