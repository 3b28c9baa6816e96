"""The ledger of a corpus: what each paper has, from whom and since when, and which hosts had nothing.

What a paper has is read from the corpus itself. The file `asked.json` beside its parts holds the rest: the day on which
a host answered that it has nothing, or why a full text could not be had. A host that did not answer is not in it.
"""

import datetime
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import TypeAdapter

from pathfinder.corpus.history.merges import Merges, open_merges
from pathfinder.corpus.store import Corpus
from pathfinder.fulltext.store import FullTexts
from pathfinder.sources.record_lookup import HOSTS
from pathfinder.text.files import write_file
from pathfinder.text.strict_json import read_json
from pathfinder.types import Paper

FULL_TEXT = "full_text"
FIELDS: Mapping[str, Callable[[Paper], bool]] = {
    "abstract": lambda paper: bool(paper.abstract) and not paper.is_summary,
    "keywords": lambda paper: bool(paper.subjects),
    "authors": lambda paper: bool(paper.authors) and not paper.has_more_authors,
    "date": lambda paper: paper.date is not None,
    "identifiers": lambda paper: bool(paper.doi or paper.arxiv_id or paper.pmid),
    "references": lambda paper: bool(paper.references),
    "citation_count": lambda paper: paper.citation_count is not None and paper.citations_on is not None,
}
"""The fields that can be filled, with functions that tell whether a paper has them: a full date, an identifier by which
hosts know it, a count with its day.
"""
FRESH_DAYS = 30
"""Number of days for which an answer of a host holds: it is not asked about the same paper before."""
NO_OPEN_TEXT = "none: neither arXiv nor OpenAlex knows an open text"
"""Why a paper has no full text that anybody could fetch."""
NO_IDENTIFIER = "no identifier"
"""Why a host was not asked about a paper that lacks every name by which it could know it."""

_FILE = "asked.json"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a host about a paper, if it is not a record; or how its full text was sought."""

    day: datetime.date
    why: str | None = None
    """Why the host has nothing, such as "none"; `None` if a full text was stored on that day."""
    was_asked: bool = True
    """Whether the host was asked: not without an identifier, which the next run may know."""
    is_absent: bool = False
    """Whether no source has the full text: nothing failed."""


Answers = dict[str, dict[str, Answer]]
"""Answers by the id of the paper and the source, or `FULL_TEXT`."""
_ANSWERS = TypeAdapter[Answers](Answers)


def read_answers(folder: Path) -> Answers:
    """Read the answers beside the corpus in `folder`. Raises `CorpusDamaged` if the file cannot be read."""
    path = folder / _FILE
    remedy = "delete this file: hosts are then asked again"
    return read_json(_ANSWERS, path, remedy) if path.is_file() else {}


def write_answers(folder: Path, answers: Answers, paper_ids: Iterable[str]) -> None:
    """Write the answers about the papers with these ids, and forget all others."""
    kept = {paper_id: answers[paper_id] for paper_id in sorted(answers.keys() & set(paper_ids)) if answers[paper_id]}
    write_file(folder / _FILE, _ANSWERS.dump_json(kept, indent=1, exclude_defaults=True))


def last_asked(folder: Path) -> int | None:
    """Return a number that is another after each run for the corpus in `folder`; `None` if hosts were never asked."""
    path = folder / _FILE
    return path.stat().st_mtime_ns if path.is_file() else None


@dataclass(frozen=True, slots=True)
class Holding:
    """A field of a paper: who gave it and since when, or why it is missing."""

    source: str | None = None
    """Source of the value, such as "openalex" or "file", or the host of a full text; `None` if it is missing."""
    since: datetime.date | None = None
    """Day on which it was retrieved; `None` if it is unknown."""
    why: str | None = None
    """Why it is missing: "none" if all hosts that could have it were asked, otherwise "not asked". For a full text, the
    reason for which it could not be had.
    """
    licence: str | None = None
    """Licence of a full text; `None` if it is unknown."""
    is_absent: bool = False
    """Whether it is missing because no source has it: nothing failed, and nobody is left to ask."""


@dataclass(frozen=True, slots=True)
class PaperLedger:
    """What one paper has."""

    paper_id: str
    title: str
    holdings: Mapping[str, Holding]
    """Holdings by the names in `FIELDS`, and `FULL_TEXT`."""


@dataclass(frozen=True, slots=True)
class FieldCoverage:
    """How many papers have a field."""

    n_papers: int
    by_source: Mapping[str, int]
    """Number of papers by the source of the value, the largest first."""
    none: int
    """Papers without it for which all hosts that could have it were asked, and have none."""
    not_asked: int
    """Papers without it for which a host was not asked, be it because they lack an identifier that it knows."""
    since: datetime.date | None = None
    """Last day on which the field was retrieved for a paper; `None` if no day is known."""
    unavailable: int = 0
    """Papers with a full text that could not be had: its host failed or refused it, or what came was no text."""


def ledger(corpus: Corpus) -> Iterator[PaperLedger]:
    """Yield what each paper of a corpus has, in the order of the corpus."""
    merges, texts = open_merges(corpus.path("merges")), FullTexts.open(corpus.folder).texts
    answers = read_answers(corpus.folder)
    for paper in corpus.papers:
        of_paper = answers.get(paper.paper_id, {})
        holdings = {name: _holding(name, paper, merges, of_paper) for name in FIELDS}
        text, sought = texts.get(paper.paper_id), of_paper.get(FULL_TEXT)
        if text is not None:
            host = urlsplit(text.origin).hostname if "://" in text.origin else "file"
            since = sought.day if sought is not None and sought.why is None else None
            holdings[FULL_TEXT] = Holding(host, since, licence=text.licence)
        else:
            why, is_absent = (sought.why, sought.is_absent) if sought is not None else (None, False)
            holdings[FULL_TEXT] = Holding(why=why or "not asked", is_absent=is_absent)
        yield PaperLedger(paper.paper_id, paper.title, holdings)


def completeness(corpus: Corpus) -> dict[str, FieldCoverage]:
    """Count, for each field, the papers that have it by source, and those that do not."""
    sources: dict[str, Counter[str]] = {name: Counter() for name in (*FIELDS, FULL_TEXT)}
    missing: dict[str, Counter[str]] = {name: Counter() for name in sources}
    days: dict[str, list[datetime.date]] = {name: [] for name in sources}
    for entry in ledger(corpus):
        for name, holding in entry.holdings.items():
            if holding.source is not None:
                sources[name][holding.source] += 1
                days[name] += [] if holding.since is None else [holding.since]
            else:
                missing[name]["none" if holding.is_absent else str(holding.why)] += 1
    return {
        name: FieldCoverage(
            by_source.total(),
            dict(by_source.most_common()),
            missing[name]["none"],
            missing[name]["not asked"],
            max(days[name], default=None),
            missing[name].total() - missing[name]["none"] - missing[name]["not asked"],
        )
        for name, by_source in sources.items()
    }


def _holding(name: str, paper: Paper, merges: Merges, answers: Mapping[str, Answer]) -> Holding:
    if FIELDS[name](paper):
        records = merges.records.get(paper.paper_id) or (paper,)
        record = next((each for each in records if _gave(name, each, paper)), paper)
        origin = next(iter(record.provenance), None)
        return Holding(origin.source if origin else "file", origin.retrieved if origin else None)
    able = [host.source for host in HOSTS if name in host.gives and not host.is_optional]
    asked = {entry.source for entry in paper.provenance}
    asked |= {source for source, answer in answers.items() if answer.was_asked}
    is_absent = asked.issuperset(able)
    return Holding(why="none" if is_absent else "not asked", is_absent=is_absent)


def _gave(name: str, record: Paper, paper: Paper) -> bool:
    """Return whether the merged `paper` has a field from this record, by the rule of `merged_record`."""
    if name == "abstract":
        return record.abstract == paper.abstract
    if name == "citation_count":
        return record.citations_from == paper.citations_from and record.citations_on == paper.citations_on
    return FIELDS[name](record)


@dataclass(frozen=True, slots=True)
class Desk:
    """The answers of hosts about the papers of a corpus: those of earlier runs, and those of this one."""

    today: datetime.date
    before: Answers
    now: Answers = field(default_factory=lambda: defaultdict(dict))

    def note(
        self, paper_id: str, source: str, why: str | None, *, was_asked: bool = True, is_absent: bool = False
    ) -> None:
        """Note an answer of today."""
        self.now[paper_id][source] = Answer(self.today, why, was_asked, is_absent)

    def answer(self, paper_id: str, source: str) -> Answer | None:
        """Return the answer of a source, if it is of today or still holds."""
        return self.now.get(paper_id, {}).get(source) or self._answer_before(paper_id, source)

    def why_no_text(self, paper_id: str) -> Answer | None:
        """Return the answer that says why a paper without a full text has none; `None` if the text is to be sought, as
        after it was removed.
        """
        answer = self.answer(paper_id, FULL_TEXT)
        return answer if answer is not None and answer.why is not None else None

    def has_answered_before(self, paper: Paper, source: str) -> bool:
        """Return whether an earlier answer of a source about `paper` still holds, be it a record or not."""
        days = [entry.retrieved for entry in paper.provenance if entry.source == source and entry.retrieved]
        return any(map(self._holds, days)) or self._answer_before(paper.paper_id, source) is not None

    def all_answers(self) -> Answers:
        """Return the newest answers."""
        paper_ids = self.before.keys() | self.now.keys()
        return {each: {**self.before.get(each, {}), **self.now.get(each, {})} for each in paper_ids}

    def _answer_before(self, paper_id: str, source: str) -> Answer | None:
        answer = self.before.get(paper_id, {}).get(source)
        return answer if answer and answer.was_asked and self._holds(answer.day) else None

    def _holds(self, day: datetime.date) -> bool:
        return (self.today - day).days < FRESH_DAYS
