"""A blind study: readers say which answer or ranking of each pair is better, without knowing who made which.

Studies and votes are stored in SQLite databases, which belong to no corpus, and so survive when one is rebuilt.
"""

import datetime
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.answering.grounding.marks import renumber, shown_numbers
from pathfinder.errors import UsageError
from pathfinder.text.author_names import parse_name
from pathfinder.text.strict_json import parse_as
from pathfinder.types import Answer, CorpusName, Paper, SearchResult
from pathfinder.user_data import Database

MOST_CHARACTERS = 60
"""Maximum length of the name of a study or a reader."""


class PairKind(StrEnum):
    """Kinds of things that are compared."""

    ANSWERS = "answers"
    RANKINGS = "rankings"


class Criterion(StrEnum):
    """Questions about a pair, like those that experts were asked about answers in arXiv:2411.14199."""

    ORGANISATION = "organisation"
    COVERAGE = "coverage"
    RELEVANCE = "relevance"
    USEFULNESS = "usefulness"
    OVERALL = "overall"


CRITERIA = {
    PairKind.ANSWERS: tuple(Criterion),
    PairKind.RANKINGS: (Criterion.COVERAGE, Criterion.RELEVANCE, Criterion.USEFULNESS, Criterion.OVERALL),
}
"""Criteria for each kind of thing that is compared: a list of papers has no organisation."""

EXPLANATIONS = {
    Criterion.ORGANISATION: "Which is better organised?",
    Criterion.COVERAGE: "Which covers more of what matters?",
    Criterion.RELEVANCE: "Which stays closer to the question?",
    Criterion.USEFULNESS: "Which would help you more?",
    Criterion.OVERALL: "Which is better overall?",
}


class Pick(StrEnum):
    """The better of two, regardless of which was shown first."""

    FIRST = "first"
    SAME = "same"
    SECOND = "second"

    @property
    def opposite(self) -> "Pick":
        """The same pick, seen from the other side."""
        return {Pick.FIRST: Pick.SECOND, Pick.SECOND: Pick.FIRST}.get(self, self)


@dataclass(frozen=True, slots=True)
class Exhibit:
    """The parts of an answer or a ranking that readers see: nothing that reveals who made it."""

    text: str
    """The answer, with its citations numbered from 1; empty for a ranking."""
    papers: tuple[str, ...] = ()
    """Cited or ranked papers, in order, each as one line."""


@dataclass(frozen=True, slots=True)
class BlindPair:
    """Two exhibits for one question."""

    question: str
    first: Exhibit
    second: Exhibit


@dataclass(frozen=True, slots=True)
class BlindStudy:
    """Pairs to judge, and the names of their makers, which readers do not see."""

    name: str
    corpus: str
    """Name of the corpus."""
    material: PairKind
    first: str
    """Name of the system that made the first exhibit of each pair."""
    second: str
    seed: int
    """Number that decides, together with the reader and the pair, which exhibit is shown on the left."""
    pairs: tuple[BlindPair, ...]

    def __post_init__(self) -> None:
        check_name("name of a study", self.name)
        if not self.pairs:
            raise UsageError("a study needs at least one pair")
        if self.first == self.second:
            raise UsageError(f"both sides are called {self.first!r}: give them different names")

    @property
    def n_pairs(self) -> int:
        """Number of its pairs."""
        return len(self.pairs)

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria by which its pairs are judged."""
        return CRITERIA[self.material]

    def is_swapped(self, reader: str, pair: int) -> bool:
        """Return whether `reader` sees the second exhibit of this pair on the left; this is decided at random, once
        and for all.
        """
        digest = hashlib.sha256(f"{self.seed}\n{self.name}\n{reader}\n{pair}".encode()).digest()
        return digest[0] % 2 == 1

    def on_screen(self, reader: str, pair: int) -> tuple[Exhibit, Exhibit]:
        """Return the exhibits on the left and on the right."""
        both = self.pairs[pair].first, self.pairs[pair].second
        return (both[1], both[0]) if self.is_swapped(reader, pair) else both


@dataclass(frozen=True, slots=True)
class Vote:
    """A reader's judgement of one pair."""

    reader: str
    pair: int
    """Position of the pair in the study, counted from 0."""
    day: datetime.date
    is_swapped: bool
    """True if the second exhibit was shown on the left."""
    picks: tuple[tuple[Criterion, Pick], ...]
    """The better exhibit by each criterion: the first or the second in the study, not on the screen."""


def vote_of(study: BlindStudy, reader: str, pair: int, on_screen: Mapping[Criterion, Pick], day: datetime.date) -> Vote:
    """Make the vote of a reader from what they picked on the screen, where `FIRST` means the left."""
    check_name("name of a reader", reader)
    if not 0 <= pair < len(study.pairs):
        raise UsageError(f"{study.name} has pairs 1 to {len(study.pairs)}, got {pair + 1}")
    if missing := [each.value for each in study.criteria if each not in on_screen]:
        raise UsageError(
            f"pair {pair + 1} has no judgement for {', '.join(missing)}: pick the better one, or say that both are "
            "equally good"
        )
    is_swapped = study.is_swapped(reader, pair)
    picks = tuple((each, on_screen[each].opposite if is_swapped else on_screen[each]) for each in study.criteria)
    return Vote(reader, pair, day, is_swapped, picks)


def check_name(what: str, name: str) -> None:
    """Raise `UsageError` if a name is empty, too long or not printable."""
    if not name.strip() or len(name) > MOST_CHARACTERS or not name.isprintable():
        raise UsageError(f"the {what} must have 1 to {MOST_CHARACTERS} printable characters, got {name[:80]!r}")


# Makes exhibits from answers and rankings, both sides in the same layout, and reads pairs from a file.

_PAIR = TypeAdapter(BlindPair)


def ranking_exhibit(result: SearchResult) -> Exhibit:
    """Return the papers in a ranking, without scores."""
    return Exhibit("", tuple(_line(hit.paper) for hit in result.hits))


def answer_exhibit(answer: Answer) -> Exhibit:
    """Return the text of an answer and the papers that it cites, numbered in the order of citation, without badges,
    counts or advice.
    """
    n_sources = len(answer.sources)
    cited_numbers = [n for n in dict.fromkeys(shown_numbers(answer.text, answer.quotations)) if 1 <= n <= n_sources]
    text = renumber(answer.text, {n: place for place, n in enumerate(cited_numbers, start=1)}, answer.quotations)
    return Exhibit(text.strip(), tuple(_line(answer.sources[n - 1]) for n in cited_numbers))


def _line(paper: Paper) -> str:
    first = parse_name(paper.authors[0]).last if paper.authors else "no author"
    others = " et al." if len(paper.authors) > 1 or paper.has_more_authors else ""
    return f"{paper.title} ({first}{others}, {paper.year or 'no year'})"


def read_pairs(path: Path) -> tuple[BlindPair, ...]:
    """Read pairs, one per line: {"question", "first": {"text", "papers": [...]}, "second": ...}.

    Raises `UsageError`, which names the line, if a line cannot be read.
    """
    pairs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            try:
                pairs.append(parse_as(_PAIR, line))
            except ValueError as error:
                raise UsageError(
                    f'{path}:{number} is not a pair ({error}): write {{"question": ..., "first": {{"text": ..., '
                    '"papers": [...]}, "second": ...}}'
                ) from error
    return tuple(pairs)


def read_questions(path: Path) -> tuple[str, ...]:
    """Read questions, one per line; empty lines and those that begin with # are left out."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


STUDIES_FILE, VOTES_FILE = "studies.sqlite3", "votes.sqlite3"
_STUDIES = """
create table studies (
    corpus text not null,
    name text not null,
    record text not null,
    primary key (corpus, name)
) strict
"""
_VOTES = """
create table votes (
    corpus text not null,
    study text not null,
    reader text not null,
    pair integer not null,
    record text not null,
    primary key (corpus, study, reader, pair)
) strict
"""
_STUDY, _VOTE = TypeAdapter(BlindStudy), TypeAdapter(Vote)


class StudyStore:
    """The studies of one corpus with their votes. A vote is on disk when `add_vote` returns."""

    def __init__(self, folder: Path, corpus: CorpusName) -> None:
        """`folder` is created with the first study."""
        self.path, self.corpus = folder / STUDIES_FILE, corpus.name
        self._id = corpus.ids[0]
        self._studies = Database(self.path, _STUDIES)
        self._votes = Database(folder / VOTES_FILE, _VOTES)

    def add(self, study: BlindStudy) -> BlindStudy:
        """Store a study, and return it. Raises `UsageError` if one with this name exists."""
        if study.name in self.names():
            raise UsageError(f"{self.corpus} already has a study {study.name!r}: delete it, or choose another name")
        with self._studies.transaction() as database:
            row = (self._id, study.name, _STUDY.dump_json(study).decode())
            database.execute("insert into studies values (?, ?, ?)", row)
        return study

    def names(self) -> tuple[str, ...]:
        """Return the names of all studies."""
        rows = self._studies.rows("select name from studies where corpus = ? order by rowid", (self._id,))
        return tuple(name for (name,) in rows)

    def study(self, name: str) -> BlindStudy:
        """Return a study. Raises `UsageError` if none has this name."""
        rows = self._studies.rows("select record from studies where corpus = ? and name = ?", (self._id, name))
        if not rows:
            raise UsageError(
                f"{self.corpus} has no study {name!r}: choose from {', '.join(self.names()) or 'none yet'}"
            )
        return self._studies.parse(_STUDY, rows[0][0], "study", strict=True)

    def add_vote(self, study: str, vote: Vote) -> None:
        """Store a vote, replacing any earlier one by the same reader on the same pair."""
        row = (self._id, study, vote.reader, vote.pair, _VOTE.dump_json(vote).decode())
        with self._votes.transaction() as database:
            database.execute("insert or replace into votes values (?, ?, ?, ?, ?)", row)

    def remove_vote(self, study: str, reader: str, pair: int) -> bool:
        """Delete a vote; return whether there was one."""
        statement = "delete from votes where corpus = ? and study = ? and reader = ? and pair = ?"
        return self._votes.change(statement, (self._id, study, reader, pair)) > 0

    def votes(self, study: str) -> tuple[Vote, ...]:
        """Return the votes on a study, by reader and pair."""
        query = "select record from votes where corpus = ? and study = ? order by reader, pair"
        rows = self._votes.rows(query, (self._id, study))
        return tuple(self._votes.parse(_VOTE, record, "vote", strict=True) for (record,) in rows)

    def delete(self, name: str) -> int:
        """Delete a study and its votes; return the number of votes."""
        self.study(name)
        self._studies.change("delete from studies where corpus = ? and name = ?", (self._id, name))
        return self._votes.change("delete from votes where corpus = ? and study = ?", (self._id, name))
