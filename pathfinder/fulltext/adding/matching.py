"""Finds the paper in a corpus to which a full text belongs.

Identifiers come first: those in the name of the file, and those that the first page states for the paper itself.
Failing that, titles are compared by the rule for merging records (`corpus/merging/rule.py`), with the first author's
surname and the year if they occur at the beginning of the text.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

import pyarrow.compute as pc

from pathfinder.corpus.merging import same_paper
from pathfinder.corpus.merging.title_key import name_key, title_key
from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import CorpusError
from pathfinder.fulltext.document import Document
from pathfinder.retrieval.known_items.in_questions import rows_of, rows_with_id
from pathfinder.text.identifiers import identifiers_in
from pathfinder.types import Paper

BY_NAME, BY_IDENTIFIER, BY_TITLE = "file name", "identifier", "title"
_NAME_THE_PAPER = "add the file on its own and name its paper (--paper ID)"
_SUFFIX = re.compile(r"(?:\.(?:pdf|n?xml|tei|grobid|tex|ltx|tar|tgz|gz|zip|md|markdown|txt))+$", re.IGNORECASE)
_ARXIV_NAME = re.compile(r"arxiv[-_. ]+(?=[\d\w])", re.IGNORECASE)
_OLD_ARXIV_NAME = re.compile(r"(?<=[a-z])(?=\d{7}(?:v\d+)?$)")
_SMALL_NUMBER = re.compile(r"\d{1,4}")
"""File names that carry no information: browsers number files, and some corpora number papers."""
_WORD = re.compile(r"[A-Za-z]{4,}")
_BEGINNING = 3000
"""Number of characters that are searched for the author and the year."""
_N_WORDS, _N_SHARED = 3, 2
"""Number of a title's longest words that are looked up, and the minimum number of them that a paper's title must share
before the two titles are compared.
"""
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class PaperMatch:
    """The paper to which a full text belongs, and the evidence: "file name", "identifier", "title" or "--paper"."""

    paper_id: str
    by: str


def match_paper(document: Document, file_name: str, papers: PaperTable) -> PaperMatch:
    """Find the paper to which `document`, read from a file with this name, belongs.

    Raises `CorpusError`, with the reason and what to do, if there is no such paper or more than one.
    """
    by_name, by_identifier = _rows_by_name(file_name, papers), _rows_named_in(document.identifiers, papers)
    if by_name and by_identifier and not by_name & by_identifier:
        raise CorpusError(
            f"its file name refers to {_ids(by_name, papers)}, but its text states the identifier of "
            f"{_ids(by_identifier, papers)}: {_NAME_THE_PAPER}"
        )
    if by_name and by_identifier:
        return _only(by_name & by_identifier, BY_IDENTIFIER, papers)
    if rows := by_name or by_identifier:
        return _only(rows, BY_NAME if by_name else BY_IDENTIFIER, papers)
    if rows := set(_rows_with_title(document, papers)):
        return _only(rows, BY_TITLE, papers)
    title = f"its title is {document.title[:120]!r}" if document.title else "it has no title"
    raise CorpusError(
        f"no paper in the corpus has its identifiers or its title ({title}): if the corpus has the paper, "
        f"{_NAME_THE_PAPER}"
    )


def _only(rows: set[int], by: str, papers: PaperTable) -> PaperMatch:
    if len(rows) > 1:
        raise CorpusError(f"by its {by} it may belong to {_ids(rows, papers)}: {_NAME_THE_PAPER}")
    return PaperMatch(papers[rows.pop()].paper_id, by)


def _ids(rows: Iterable[int], papers: PaperTable) -> str:
    ids = [papers[row].paper_id for row in sorted(rows)]
    more = f" and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
    return ", ".join(map(repr, ids[:_MOST_NAMED])) + more


def _rows_by_name(file_name: str, papers: PaperTable) -> set[int]:
    """Return the rows of the papers that a file name refers to, by an identifier or by the id of a paper in the
    corpus.
    """
    stems = dict.fromkeys(_spellings(unquote(_SUFFIX.sub("", file_name))))
    own = {int(row) for stem in stems if not _SMALL_NUMBER.fullmatch(stem) for row in rows_with_id(stem, papers)}
    return own or _rows_named_in(stems, papers)


def _spellings(stem: str) -> Iterator[str]:
    """Yield a file name and the identifiers that it may stand for: file names cannot contain a slash or, often, a
    colon.
    """
    yield stem
    with_prefix = _ARXIV_NAME.sub("arXiv:", stem)
    yield with_prefix
    yield _OLD_ARXIV_NAME.sub("/", with_prefix)
    for sign in "_-":
        yield with_prefix.replace(sign, "/", 1)
        yield with_prefix.replace(sign, "/")
        yield "/".join(with_prefix.rsplit(sign, 1))
    yield with_prefix.replace("_", " ")


def _rows_named_in(texts: Iterable[str], papers: PaperTable) -> set[int]:
    return {int(row) for text in texts for identifier in identifiers_in(text) for row in rows_of(identifier, papers)}


def _words_of_beginning(document: Document) -> frozenset[str]:
    """Return the opening words of a text, including its authors if the format provides them."""
    paragraphs = (paragraph.text for section in document.sections[:2] for paragraph in section.paragraphs)
    return frozenset(title_key("\n".join((document.front, *paragraphs))[:_BEGINNING]).words)


def _is_of(document: Document, words: frozenset[str], paper: Paper) -> bool:
    """Return whether a text is that of `paper`, judged by its title and, if `words` contain them, author and year."""
    year = paper.year or (paper.date.year if paper.date else None)
    record = Paper(
        paper_id="",
        title=document.title,
        abstract="",
        authors=paper.authors[:1] if paper.authors and name_key(paper.authors[0]) in words else (),
        year=year if str(year) in words else None,
    )
    return same_paper(record, paper) is not None


def _rows_with_title(document: Document, papers: PaperTable) -> Iterator[int]:
    longest = sorted(dict.fromkeys(_WORD.findall(document.title)), key=len, reverse=True)[:_N_WORDS]
    if not longest:
        return
    titles = papers.column("title")
    n_shared: Counter[int] = Counter()
    for word in longest:
        n_shared.update(pc.indices_nonzero(pc.match_substring(titles, word, ignore_case=True)).to_pylist())
    words, n_needed = _words_of_beginning(document), min(_N_SHARED, len(longest))
    yield from (row for row, n in n_shared.items() if n >= n_needed and _is_of(document, words, papers[row]))
