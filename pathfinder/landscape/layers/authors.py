"""The path of an author, or of a group, over the map: where each year's papers lie."""

import unicodedata
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from pathfinder.errors import UsageError
from pathfinder.export.latex import readable
from pathfinder.export.names import Name, parse_name
from pathfinder.landscape.layer import Absent, Column, Layer, Line, Mark, Offer, Table
from pathfinder.landscape.layers.colours import RISING
from pathfinder.landscape.layers.dates import YearSpan, in_words, in_years, undated_papers
from pathfinder.landscape.layers.naming import about
from pathfinder.landscape.layers.patches import middle
from pathfinder.landscape.survey import Survey
from pathfinder.types import Rows

KIND, TITLE = "author", "An author's path"
GROUP = "People"
MOST_NAMES = 20
_NO_AUTHORS = Absent(KIND, TITLE, "no paper of this corpus names its authors: add papers from a source that does")


@dataclass(frozen=True, slots=True)
class Stop:
    """The papers of one year."""

    year: int
    x: float
    y: float
    """The paper of the year that is nearest to the mean of all of it."""
    rows: tuple[int, ...]


def author_offers(survey: Survey) -> tuple[Offer | Absent, ...]:
    """Any author by name, where papers name theirs."""
    if not len(pc.list_flatten(survey.papers.column("authors"))):
        return (_NO_AUTHORS,)
    needs = "a name, such as Riess, A; several, such as those of a group, with semicolons between them"
    return (Offer(KIND, TITLE, "Where an author's papers lie, year by year.", GROUP, None, needs),)


def author_layer(survey: Survey, names: str, years: YearSpan | None = None) -> Layer | Absent:
    """The path of whoever `names` says, "Family, Given" or "Given Family", a group's names parted by semicolons.

    Initials stand for every given name that begins so. Raises `UsageError` where no name is given, or too many.
    """
    slug = f"{KIND}:{names}"
    of_all_years, spellings = papers_by(survey, names)
    rows = of_all_years[in_years(survey, years or (None, None))[of_all_years]]
    if not len(rows):
        return Absent(slug, names, _why_none(names, len(of_all_years), years))
    path = stops(survey, rows)
    n_undated = len(rows) - sum(len(stop.rows) for stop in path)
    lines: tuple[Line, ...] = ()
    if len(path) > 1:
        points = np.array([(stop.x, stop.y) for stop in path], dtype=np.float32)
        lines = (Line(points, RISING, names, is_path=True),)
    papers = "1 paper" if len(rows) == 1 else f"{len(rows):,} papers"
    says = (
        f"{papers} by {names}, a stop for each year at the paper nearest to the mean of that year's. "
        f"Counted as one: {_listed(spellings)}."
    )
    marks = tuple(_mark(survey, stop) for stop in path)
    return Layer(
        slug, names, says, lines=lines, marks=marks, table=_table(survey, path), notes=_notes(survey, n_undated)
    )


def _why_none(names: str, n_of_all_years: int, years: YearSpan | None) -> str:
    if not n_of_all_years:
        return f"no paper here is by {names}: write the family name first, such as Riess, A, or only the family name"
    of_others = (
        "1 is of another year or of none" if n_of_all_years == 1 else f"{n_of_all_years:,} are of others or of none"
    )
    return f"no paper here ({in_words(years or (None, None))}) is by {names}, {of_others}: widen the years"


def papers_by(survey: Survey, names: str) -> tuple[Rows, tuple[str, ...]]:
    """The papers by any of `names`, and the spellings that were taken for them."""
    wanted = [parse_name(name) for name in names.split(";") if name.strip()]
    if not 1 <= len(wanted) <= MOST_NAMES:
        raise UsageError(f"name 1 to {MOST_NAMES} authors with semicolons between them, got {len(wanted)}")
    column = survey.papers.column("authors").combine_chunks()
    flat, parents = pc.list_flatten(column), pc.list_parent_indices(column)
    encoded = flat.dictionary_encode()
    spelled = encoded.dictionary.to_pylist()
    folded = [_Folded.of(name) for name in wanted]
    matching = [i for i, text in enumerate(spelled) if any(one.is_in(text) for one in folded)]
    is_by = np.isin(encoded.indices.to_numpy(zero_copy_only=False), matching)
    of = parents.to_numpy(zero_copy_only=False).astype(np.int64)
    return np.unique(of[is_by]), tuple(spelled[i] for i in matching)


def stops(survey: Survey, rows: Rows) -> tuple[Stop, ...]:
    """Where the papers at `rows` of each year lie, the first year first; undated ones are at no stop."""
    years = survey.papers.take(rows).years()
    found = []
    for year in np.unique(years[~np.isnan(years)]):
        here = rows[years == year]
        found.append(Stop(int(year), *middle(survey, here), tuple(here.tolist())))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Folded:
    """A name without accents and in small letters."""

    last: str
    given: tuple[str, ...]

    @classmethod
    def of(cls, name: Name) -> "_Folded":
        given = name.first.replace(".", " ").replace("-", " ").split()
        return cls(_fold(name.last), tuple(map(_fold, given)))

    def is_in(self, spelled: str) -> bool:
        """Whether `spelled` may be this one: the same family name, and given names that do not differ."""
        if self.last not in _fold(spelled):
            return False
        other = _Folded.of(parse_name(spelled))
        pairs = zip(self.given, other.given, strict=False)
        return self.last == other.last and all(a.startswith(b) or b.startswith(a) for a, b in pairs)


def _fold(text: str) -> str:
    if text.isascii():
        return text.casefold()
    plain = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).casefold()


def _listed(spellings: tuple[str, ...]) -> str:
    first = ", ".join(spellings[:5])
    return first if len(spellings) <= 5 else f"{first} and {len(spellings) - 5} more"


def _mark(survey: Survey, stop: Stop) -> Mark:
    title = readable(survey.papers[stop.rows[0]].title)
    n = len(stop.rows)
    text = f"{stop.year}: {title}" if n == 1 else f"{stop.year}: {n} papers, such as {title}"
    return Mark(stop.x, stop.y, text, RISING, "year", str(stop.year), stop.rows[0] if n == 1 else None)


def _table(survey: Survey, path: tuple[Stop, ...]) -> Table:
    columns = (Column("year"), Column("papers"), Column("about", "keywords of these"), Column("x"), Column("y"))
    lines = ((s.year, len(s.rows), about(survey, np.array(s.rows)), s.x, s.y) for s in path)
    return Table(columns, tuple(lines))


def _notes(survey: Survey, n_undated: int) -> tuple[str, ...]:
    notes = [f"{undated_papers(n_undated)} on no stop"] if n_undated else []
    named = pc.list_value_length(survey.papers.column("authors"))
    if pc.any(pc.greater(survey.papers.column("n_authors"), named)).as_py():
        notes.append("of some papers the source names the first authors only: the others are not found there")
    notes.append("authors are told apart by name alone: two of one name are one here")
    return tuple(notes)
