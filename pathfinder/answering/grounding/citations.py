"""Checks each key that a model cites against the registry of the papers that it was shown.

A model cites keys, such as [k3q7z] or [k3q7z, m2x9a]; a reader sees the papers' numbers: [1] or [1, 4]. An unknown key,
or any number that the model itself writes as a mark, is shown with a question mark, as in [m2x9a?] or [7?], and does
not count as a citation.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pathfinder.answering.grounding.marks import (
    BRACKETS,
    CITE,
    CITE_MACRO,
    KEY,
    SPACED_BRACKETS,
    UNFINISHED_MARK,
    CitationMark,
    cited_sentences,
    is_label,
    may_become_a_mark,
    names_cited,
    names_in,
    without_marks,
)
from pathfinder.answering.grounding.sources import CitationRegistry
from pathfinder.profile import shipped_compounds
from pathfinder.text.author_names import CITED_YEAR, ET_AL, TEAM, parse_name
from pathfinder.text.english import MONTHS, OPENERS, PREPOSITIONS, lower
from pathfinder.text.identifiers import IdentifierKind, identifiers_in
from pathfinder.text.latex.mathematics import formulas, opening_of
from pathfinder.text.spelling import fold
from pathfinder.types import Claim, Paper

_BARE = rf"(?<!\w)(?P<bare>{KEY.pattern})(?!\w)"
_MARK_OR_KEY = re.compile(rf"(?P<cite>{CITE})|(?P<brackets>{BRACKETS})|{_BARE}", re.IGNORECASE)
_KEY_ALONE = re.compile(_BARE, re.IGNORECASE)
_LIKE_KEY = re.compile("[a-km-np-z][2-9][a-km-np-z][2-9][a-km-np-z]")
"""Unbracketed text that may have been meant as a key; C2H5N and h2o2x do not match."""
_OF_ADDRESS = re.compile(r"[/@_-]")

_OPEN, _CLOSE = "\ue000", "\ue001"
"""Delimiters of a checked mark until the text is displayed: characters not used in any language."""
_CHECKED_MARK = re.compile(f"{_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_TO_BRACKETS = str.maketrans({_OPEN: "[", _CLOSE: "]"})
_UNSEEN_SIGNS = dict.fromkeys(
    [*range(9), *range(11, 32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
_UNSEEN_SIGNS |= {ord(_OPEN): None, ord(_CLOSE): None}


@dataclass(frozen=True, slots=True)
class CheckedReply:
    """A reply whose citation marks have been checked."""

    text: str
    """Text in which known keys are replaced by the papers' numbers in the registry, as in [1, 2]; unknown keys are
    followed by a question mark, as in [m2x9a?]; and each of `unsourced_papers` is followed by [?].
    """
    claims: tuple[Claim, ...]
    invented_marks: tuple[str, ...]
    """Unknown keys and numbers that were cited, in order of appearance and without duplicates."""
    unsourced_papers: tuple[str, ...] = ()
    """Papers named by author and year, arXiv number or DOI that are neither in the registry nor mentioned in the text
    of a paper in it.
    """

    @property
    def complaints(self) -> tuple[str, ...]:
        """Problems with the citations that a reader should know about, one sentence each."""
        marks = ", ".join(f"[{name}]" for name in self.invented_marks)
        complaint = f"the model cited {marks}, which it was not given: marked with ? and not counted as citations"
        papers = "; ".join(self.unsourced_papers)
        named_papers = f"the model named {papers}, found neither among the sources nor in their texts: marked with [?]"
        return tuple(
            line for line, names in ((complaint, self.invented_marks), (named_papers, self.unsourced_papers)) if names
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """The complaints, and a note on a text in which nothing is cited."""
        if any(claim.citations for claim in self.claims):
            return self.complaints
        return (*self.complaints, "no sentence in this answer cites a paper: check it against the papers yourself")


def check_citations(reply: str, registry: CitationRegistry) -> CheckedReply:
    """Check every mark in `reply` against the papers in `registry`.

    The key of a paper in the registry counts as a citation wherever it occurs, even without brackets; brackets that do
    not form a mark are left unchanged.
    """
    lines = [_check_line(line, registry) for line in without_unseen_signs(reply).split("\n")]
    claims = tuple(claim for line in lines for claim in _claims(line, registry))
    names = (name for line in lines for mark in _CHECKED_MARK.findall(line) for name in mark.split(", "))
    invented_marks = tuple(dict.fromkeys(name.removesuffix("?") for name in names if name.endswith("?")))
    text = "\n".join(lines).translate(_TO_BRACKETS)
    doubtful_papers = papers_without_source(text, registry.papers)
    return CheckedReply(
        _mark_doubtful(text, doubtful_papers),
        claims,
        invented_marks,
        tuple(dict.fromkeys(mention.text for mention in doubtful_papers)),
    )


LONGEST_LINE = 4_000
"""Length of a line, in characters, above which its beginning is passed on even if a formula is still open in it: no
formula is that long.
"""


def number_citations(chunks: Iterable[str], registry: CitationRegistry) -> Iterator[str]:
    """Yield the `chunks` of a reply as they arrive, with numbers in place of keys; a mark is held back until it is
    complete.

    Joined together, the pieces are the text that `check_citations` returns, except for its [?] and for absurdly long
    formulas.
    """
    line, n_shown = "", 0
    for chunk in chunks:
        *whole_lines, rest = f"{line}{without_unseen_signs(chunk)}".split("\n")
        for whole in whole_lines:
            yield _check_line(whole, registry).translate(_TO_BRACKETS)[n_shown:] + "\n"
            n_shown = 0
        end = _safe_end(rest) if len(rest) <= 2 * LONGEST_LINE else len(rest)
        text = _check_line(rest[:end], registry).translate(_TO_BRACKETS)
        if len(text) > n_shown:
            yield text[n_shown:]
        # Text that cannot affect the rest of the line is dropped, so that a long line takes no longer than short ones.
        is_over = (rest[:end].endswith(" ") and opening_of(rest) is None) or len(rest) > LONGEST_LINE
        line, n_shown = (rest[end:], 0) if is_over else (rest, max(n_shown, len(text)))
    if unseen_rest := _check_line(line, registry).translate(_TO_BRACKETS)[n_shown:]:
        yield unseen_rest


def without_citations(text: str) -> str:
    """Remove from `text` all marks and the characters that `check_citations` removes, and add [?] after each paper
    that the text names.
    """
    text = SPACED_BRACKETS.sub(
        lambda match: match[0] if names_in(match["inner"]) is None else "", without_unseen_signs(text)
    )
    return _mark_doubtful(text, papers_without_source(text, ()))


def without_unseen_signs(text: str) -> str:
    """Remove characters that could control a terminal or change the direction of the surrounding text."""
    return text.translate(_UNSEEN_SIGNS)


@dataclass(frozen=True, slots=True)
class PaperName:
    """A paper that a text names."""

    text: str
    """The name as written: "Smith et al. (2015)"."""
    end: int
    """End of the name in the text."""


def _mark_doubtful(text: str, papers: Iterable[PaperName]) -> str:
    for mention in reversed(tuple(papers)):
        text = f"{text[: mention.end]} [?]{text[mention.end :]}"
    return text


def _check_line(line: str, registry: CitationRegistry) -> str:
    """Put the marks in `line` between `_OPEN` and `_CLOSE`; typeset mathematics is left unchanged."""
    parts, position = [], 0
    for start, end in formulas(line):
        parts += [_replace_marks(line[position:start], registry), line[start:end]]
        position = end
    return "".join([*parts, _replace_marks(line[position:], registry)])


def _replace_marks(text: str, registry: CitationRegistry) -> str:
    return _MARK_OR_KEY.sub(lambda match: _mark(match, registry), text)


def _mark(match: re.Match[str], registry: CitationRegistry) -> str:
    """Write a mark, or a key without brackets, in the form shown to the reader; leave anything else unchanged."""
    mark = match[0]
    if match["bare"]:
        return _key(match, registry)
    if match["cite"]:
        names = [name.lower() if registry.place(name.lower()) else name for name in names_cited(mark)]
        # A source may mention the paper that a key made of author and year names; this is checked in the whole text.
        return mark if all(map(is_dated, names)) else _mark_text(names, registry)
    names_inside = names_in(mark[1:-1])
    is_index = match.start() > 0 and match.string[match.start() - 1].isalnum()
    if names_inside is None or (is_index and all(map(is_label, names_inside))):
        return mark[0] + _KEY_ALONE.sub(lambda key: _key(key, registry), mark[1:-1]) + mark[-1]
    return _mark_text(names_inside, registry)


def _mark_text(names: Iterable[str], registry: CitationRegistry) -> str:
    places = {name: registry.place(name) for name in names}
    inner = ", ".join(f"{name}?" if place is None else str(place) for name, place in places.items())
    return f"{_OPEN}{inner}{_CLOSE}"


def _key(match: re.Match[str], registry: CitationRegistry) -> str:
    """Write a key without brackets as a mark: a known key anywhere, an unknown one only where it cannot be anything
    else.
    """
    mark, around = match[0], match.string[max(match.start() - 1, 0) : match.end() + 1]
    is_given = registry.place(mark.lower()) is not None
    if is_given or (_LIKE_KEY.fullmatch(mark) and not _OF_ADDRESS.search(around)):
        return _mark_text([mark.lower()], registry)
    return mark


def _safe_end(line: str) -> int:
    """Return how many characters of an unfinished line can no longer be changed by later text."""
    end = _start_of_unfinished(line)
    opening = opening_of(line)
    if opening is None:
        return end
    # It is not yet known whether the text that follows is mathematics.
    mark = _MARK_OR_KEY.search(line, opening)
    starts = (start for start, _ in formulas(line) if start > opening)
    return min([end, *([mark.start()] if mark else []), *starts])


def _start_of_unfinished(line: str) -> int:
    for match in UNFINISHED_MARK.finditer(line):
        if match["brackets"] is None or may_become_a_mark(match[0][1:]):
            return match.start()
        # Words in brackets; the last of them may be the beginning of a key.
        if half := UNFINISHED_MARK.search(line, match.start() + 1):
            return half.start()
    return len(line)


def _claims(line: str, registry: CitationRegistry) -> Iterator[Claim]:
    marks = [CitationMark(*mark.span(), tuple(mark[1].split(", "))) for mark in _CHECKED_MARK.finditer(line)]
    for sentence in cited_sentences(line, marks):
        words = without_marks(line, sentence.start, sentence.end, marks).replace(" ()", "").strip()
        places = [int(name) for name in dict.fromkeys(sentence.names) if not name.endswith("?")]
        yield Claim(words, tuple(registry.papers[place - 1].paper_id for place in places))


# Finds papers that an answer names by author and year, arXiv number or DOI, but that are neither among its sources
# nor named by one of them.

_NAME = r"[^\W\d_a-z](?=[\w’'-]{0,40}[a-z])[\w’'-]{1,40}(?!\w)"
_YEAR_OF_PAPER = rf"(?:[(\[]\s*(?P<year>{CITED_YEAR})[a-z]?\b[^()\[\]]{{0,20}}[)\]]|(?P<bare>{CITED_YEAR})[a-z]?\b)"
_SEVERAL = re.compile(
    rf"\b(?P<name>{_NAME})(?:\s+{TEAM})?(?:{ET_AL}|\s+{TEAM})(?:['’]s)?,?\s+{_YEAR_OF_PAPER}"
    rf"|\b(?P<first>{_NAME})\s+(?:&|and)\s+{_NAME}(?:,?\s+\((?P<of_two>{CITED_YEAR})[a-z]?\)|,\s+(?P<late>{CITED_YEAR})[a-z]?\b)"
)
"""Matches Smith et al. (2015), Smith et al. 2015, Planck Collaboration (2020), Smith & Jones (2015)."""
_ALONE = re.compile(
    rf"\b(?P<name>{_NAME})\s+\((?P<year>{CITED_YEAR})[a-z]?\)"
    rf"|(?<=[(\[;])\s?(?P<n>{_NAME})(?:\s+(?:&|and)\s+{_NAME})?,?\s(?P<y>{CITED_YEAR})[a-z]?\b"
)
"""Matches Smith (2015), (Smith 2015), [Smith, 2015], (..., 2014; Smith & Jones 2015a)."""
_KEYS = re.compile(rf"\[(@?[^\[\]\n]{{5,200}})\]|{CITE_MACRO}\{{([^{{}}\n]{{5,200}})\}}")
_KEY = re.compile(
    rf"@?(?P<name>[^\W\d_]{{2,30}}?)(?:[-_:]?et_?al)?[-_:.]?(?P<year>{CITED_YEAR})[-_:]?[a-z]{{0,15}}", re.IGNORECASE
)
"""Matches the keys of a bibliography: Smith2020, @smith2020, smith_etal:2020a."""
_NO_AUTHORS = lower((*MONTHS, *OPENERS, *PREPOSITIONS)) | frozenset(
    "until before during around about and or see between".split()
)
"""Words that may precede a year but are not authors: months, prepositions and words that open a sentence."""

YEARS_APART = 2
"""Maximum number of years between the date of a paper and the year in a citation of it: a preprint from 2018 may appear
in a journal in 2020 and be cited with either year.
"""
NEAR = 60
"""Maximum number of characters between a name and a year in the text of a source for the source to count as citing the
paper by that author from that year.
"""


def papers_without_source(text: str, papers: Sequence[Paper]) -> tuple[PaperName, ...]:
    """Find the papers that `text` names, in order, except those that are among `papers` or are named by one of them.

    A paper given by a single name, as in "Euclid (2023)", counts as named by a source if the source mentions that name.
    """
    texts = [fold(f"{paper.title} {paper.abstract}") for paper in papers]
    named_papers = (
        *_of_several(text, papers, texts),
        *_of_one(text, papers, texts),
        *_by_keys(text, papers, texts),
        *_by_identifiers(text, papers),
    )
    return tuple(sorted(named_papers, key=lambda mention: mention.end))


def _of_several(text: str, papers: Sequence[Paper], texts: list[str]) -> Iterator[PaperName]:
    for match in _SEVERAL.finditer(text):
        name = fold(match["name"] or match["first"])
        year = int(match["year"] or match["bare"] or match["of_two"] or match["late"])
        if not (_is_by(name, year, papers) or any(_names_of_people(source, name, year) for source in texts)):
            yield PaperName(match[0], match.end())


def _of_one(text: str, papers: Sequence[Paper], texts: list[str]) -> Iterator[PaperName]:
    ends = {match.end() for match in _SEVERAL.finditer(text)}
    for match in _ALONE.finditer(text):
        if match.end() in ends:
            continue
        name, year = fold(match["name"] or match["n"]), int(match["year"] or match["y"])
        is_known = any(re.search(rf"\b{re.escape(name)}\b", source) for source in texts)
        is_entry = (
            match["n"] is not None and name in shipped_compounds().catalogues
        )  # (Abell 1689), but not Kepler (2011)
        if name not in _NO_AUTHORS and not is_entry and not is_known and not _is_by(name, year, papers):
            yield PaperName(match[0].strip(), _behind_bracket(text, match.end()))


def _by_keys(text: str, papers: Sequence[Paper], texts: list[str]) -> Iterator[PaperName]:
    r"""Yield the papers without a source that are named by bibliography keys, in brackets or in a \cite."""
    for keys in _KEYS.finditer(text):
        group = keys.lastindex or 1
        for part in re.finditer(r"[^,;\s]+", keys[group]):
            key = _KEY.fullmatch(part[0])
            # SN1987A and AT2018cow are not names of people.
            if key is None or (group == 1 and key["name"].isupper()):
                continue
            name, year = fold(key["name"]), int(key["year"])
            if not (_is_by(name, year, papers) or any(_names_of_people(source, name, year) for source in texts)):
                yield PaperName(part[0], _behind_bracket(text, keys.start(group) + part.end()))


def is_dated(name: str) -> bool:
    """Return whether `name` is a key made of author and year, such as smith2020."""
    return _KEY.fullmatch(name) is not None


def _behind_bracket(text: str, end: int) -> int:
    """Return the end of a name, or of the brackets around it if they end with the name."""
    return end + 1 if text[end : end + 1] in ("]", "}") else end


def _by_identifiers(text: str, papers: Sequence[Paper]) -> Iterator[PaperName]:
    named = [each for each in identifiers_in(text) if each.is_marked or each.kind is not IdentifierKind.ARXIV]
    own = (f"arXiv:{paper.arxiv_id} doi:{paper.doi} {paper.bibcode} {paper.text}" for paper in papers if named)
    own_keys = {identifier.key for each in own for identifier in identifiers_in(each)}
    for identifier in named:
        if identifier.key not in own_keys:
            yield PaperName(text[identifier.start : identifier.end], _behind_bracket(text, identifier.end))


def _is_by(name: str, year: int, papers: Sequence[Paper]) -> bool:
    papers_of_that_time = (
        paper for paper in papers if paper.published and abs(paper.published.year - year) <= YEARS_APART
    )
    return any(
        name in fold(parse_name(author).last).split() for paper in papers_of_that_time for author in paper.authors
    )


def _names_of_people(source: str, name: str, year: int) -> bool:
    return re.search(rf"\b{re.escape(name)}\b.{{0,{NEAR}}}\b{year}", source) is not None
