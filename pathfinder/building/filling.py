"""Fills the gaps of a corpus: what its papers lack is fetched from hosts that have it, and merged by the usual rule.

papers -> hosts, by identifier, then by title -> records -> merged into the corpus -> full texts -> report

Each step resumes: replies of hosts are kept for a day, a build resumes by its journal, and texts are stored one by one.
"""

import datetime
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic

from pathfinder.building.flow import build_from
from pathfinder.building.full_texts import index_full_texts
from pathfinder.building.ledger import (
    FIELDS,
    FULL_TEXT,
    NO_IDENTIFIER,
    NO_OPEN_TEXT,
    Desk,
    read_answers,
    write_answers,
)
from pathfinder.building.progress import Progress, Silent, report_each
from pathfinder.building.read_sources import LOOKED_UP, access_for
from pathfinder.building.ready_vectors import ReadyVectors
from pathfinder.building.work import BuildPlan
from pathfinder.corpus.history.choices import Choices, open_choices
from pathfinder.corpus.history.merges import read_merges
from pathfinder.corpus.history.retractions import Retractions, read_retractions
from pathfinder.corpus.merging import identifier_keys, merged_record, same_paper
from pathfinder.corpus.store import Corpus, open_corpus
from pathfinder.errors import ProviderError
from pathfinder.fulltext.fetching import Guests, fetch_texts
from pathfinder.fulltext.store import FullTexts
from pathfinder.models.ports import Embedder
from pathfinder.settings import Settings
from pathfinder.sources import SOURCES, OpenSource, SourceSpec, Window
from pathfinder.sources.http.pace import Clock
from pathfinder.sources.http.web import surroundings_of
from pathfinder.sources.kind import Memory
from pathfinder.sources.published_lists import fetch_retractions
from pathfinder.sources.record_lookup import HOSTS, Lookup, RecordHost, look_up_records, search_records
from pathfinder.text.identifiers import doi_key
from pathfinder.types import Paper

STEPS = ("records", "retractions", "texts")
"""Everything that can be fetched: the records of papers, Retraction Watch's list, full texts."""
_FIRST_INDEXED = 16
"""Number of texts after which they can be searched for the first time; they are indexed again after each doubling."""
MOST_TEXTS = 500
"""Number of full texts that a run adds by default: at arXiv's pace, they take about an hour."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A field that a paper still lacks."""

    paper: str
    """Id of the paper."""
    field: str
    why: str
    """Why it is missing: that no host has it, that a host was not asked, and for what reason."""
    asked: tuple[str, ...]
    """Sources that answered, now or within the last 30 days; they have no value."""
    is_absent: bool = False
    """Whether it is a full text that no source has: nothing failed."""


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """A field on which a host disagrees with the corpus, which keeps its own value."""

    paper: str
    field: str
    """As in merges; "paper" if the host has another paper under the identifier of this one, and was not believed."""
    value: str
    """Value in the corpus."""
    other: str
    """Value at the host."""
    source: str


@dataclass(frozen=True, slots=True)
class FillReport:
    """The result of filling the gaps of a corpus."""

    filled: Mapping[str, int]
    """Number of papers that now have a field that they lacked, by field; for authors, those that now list more."""
    missing: tuple[Gap, ...]
    conflicts: tuple[FieldConflict, ...]
    seconds: float
    not_asked: Mapping[str, str] = field(default_factory=dict)
    """Sources that were not asked, or did not answer, with the reason."""


def guests_of(settings: Settings, progress: Progress) -> Guests:
    """Return what is needed to ask hosts with these settings."""
    return Guests(settings, surroundings_of(settings, Clock(), progress.say))


def fill(
    folder: Path,
    embedder: Embedder,
    guests: Guests,
    *,
    steps: Sequence[str] = STEPS,
    n_texts: int = MOST_TEXTS,
    progress: Progress | None = None,
) -> FillReport:
    """Fetch what the papers of the corpus in `folder` lack, and return what was filled, and what is still missing.

    A host is asked only about papers that lack something it may have, and that it has not been asked about for 30
    days. The papers keep their places on the map. A run that is stopped, even killed, leaves the corpus whole, and the
    next one goes on. Raises the errors of `build`; a host that fails is in the report.
    """
    start, progress = monotonic(), progress or Silent()
    today = datetime.datetime.fromtimestamp(guests.around.clock.now(), datetime.UTC).date()
    corpus = open_corpus(folder)
    before = {paper.paper_id: (_fields_of(paper), len(paper.authors)) for paper in corpus.papers}
    had_text = frozenset(FullTexts.open(folder).texts)
    inquiry = Inquiry(guests, Desk(today, read_answers(folder)), progress)
    if "records" in steps:
        inquiry.ask_all(corpus.papers, open_choices(corpus.path("choices")))
    retractions = _retractions(inquiry) if "retractions" in steps else None
    if inquiry.records or retractions is not None:
        found = {record.paper_id: paper for paper, records in inquiry.records.items() for _, record in records}
        plan = BuildPlan(retractions=retractions, takes_changes=True, looked_up=found)
        access = access_for(folder, guests.settings, progress)
        build_from(tuple(inquiry.sources()), access, folder, embedder, plan, progress, ReadyVectors(embedder))
    write_answers(folder, inquiry.desk.all_answers(), before)
    if "texts" in steps:
        _add_texts(folder, embedder, inquiry, n_texts, progress)
        write_answers(folder, inquiry.desk.all_answers(), before)
    corpus, texts = open_corpus(folder), FullTexts.open(folder).texts
    filled: Counter[str] = Counter()
    for paper in corpus.papers:
        had, n_authors = before.get(paper.paper_id, (frozenset(FIELDS), len(paper.authors)))
        filled.update(_fields_of(paper) - had | ({"authors"} if len(paper.authors) > n_authors else set()))
    filled[FULL_TEXT] = len(texts.keys() - had_text)
    return FillReport(
        {name: filled[name] for name in (*FIELDS, FULL_TEXT)},
        tuple(inquiry.gaps(corpus, texts)),
        tuple(inquiry.conflicts(folder)),
        monotonic() - start,
        inquiry.not_asked,
    )


def _fields_of(paper: Paper) -> frozenset[str]:
    return frozenset(name for name, has in FIELDS.items() if has(paper))


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What the hosts have said in this run."""

    guests: Guests
    desk: Desk
    progress: Progress
    records: dict[str, list[tuple[str, Paper]]] = field(default_factory=lambda: defaultdict(list))
    """Sources and records by the id of the paper in the corpus, in the order in which they came."""
    others: list[FieldConflict] = field(default_factory=list)
    not_asked: dict[str, str] = field(default_factory=dict)
    """Sources that failed, with the reason."""
    refused: dict[tuple[str, str], str] = field(default_factory=dict)
    """How a source refused the question about a paper, by the paper's id and the source; the next run asks again."""
    questions: set[tuple[str, str, tuple[str, ...]]] = field(default_factory=set)
    """Ids of papers, with the sources that were asked about them and the names by which they were asked."""
    is_same: Callable[[Paper, Paper], object] = same_paper
    """Function that tells whether a record that was found by its title is of a paper."""

    def ask_all(self, papers: Iterable[Paper], choices: Choices) -> None:
        """Ask all hosts about the papers with gaps: by identifiers, by titles if that has found nothing, and again by
        the identifiers that the titles have brought.
        """
        papers = [paper for paper in papers if len(_fields_of(paper)) < len(FIELDS)]
        search = partial(search_records, is_same=self.is_same)
        for look_up in (look_up_records, search, look_up_records):
            for host in HOSTS:
                wanted = self._wanting(host, papers, by_title=look_up is search)
                if not wanted:
                    continue
                self.progress.start(f"asking {host.host(self.guests.settings).name}", len(wanted))
                for lookup in look_up(host, wanted, self.guests.settings, self.guests.around, self.desk.today):
                    self._take(host.source, lookup, choices)
                    self.progress.advance(1)
                self.progress.finish()
        for paper in papers:
            for host in HOSTS:
                failed = host.source in self.not_asked or (paper.paper_id, host.source) in self.refused
                if not (failed or host.names_of(self._known(paper)) or self._has_asked(paper, host.source)):
                    self.desk.note(paper.paper_id, host.source, NO_IDENTIFIER, was_asked=False)

    def _wanting(self, host: RecordHost, papers: Iterable[Paper], *, by_title: bool) -> list[Paper]:
        """Return the papers, as they are known by now, that lack something that a host may have, each question once."""
        wanting = []
        for paper in papers:
            known = self._known(paper)
            names = ("title",) if by_title else tuple(host.names_of(known))
            question = paper.paper_id, host.source, names
            is_found = any(entry.source in _HOSTS for entry in known.provenance)
            if (
                names
                and host.gives - _fields_of(known)
                and question not in self.questions
                and not (by_title and (is_found or host.by_title is None))
                and not self.desk.has_answered_before(known, host.source)
            ):
                self.questions.add(question)
                wanting.append(known)
        return wanting

    def _known(self, paper: Paper) -> Paper:
        records = [record for _, record in self.records.get(paper.paper_id, ())]
        return merged_record((paper, *records)) if records else paper

    def _has_asked(self, paper: Paper, source: str) -> bool:
        has_record = any(entry.source == source for entry in self._known(paper).provenance)
        return has_record or self.desk.answer(paper.paper_id, source) is not None

    def _take(self, source: str, lookup: Lookup, choices: Choices) -> None:
        paper_id, record = lookup.paper_id, lookup.record
        if lookup.not_asked is not None:
            self.not_asked.setdefault(source, lookup.not_asked)
        elif lookup.refused is not None:
            self.refused[paper_id, source] = lookup.refused
        elif lookup.other is not None:
            record_id = lookup.other.provenance[0].record_id
            self.desk.note(paper_id, source, f"{_ANOTHER} {lookup.under}: {lookup.other.title}")
            self.others.append(FieldConflict(paper_id, "paper", record_id, lookup.other.title, source))
        elif record is None or choices.keeps_apart(paper_id, record.paper_id) or choices.has_removed(record):
            if self.desk.answer(paper_id, source) is None:
                self.desk.note(paper_id, source, "none")
        else:
            self.records[paper_id].append((source, record))

    def sources(self) -> Iterator[OpenSource]:
        """Yield the records of each host as a source of a build."""
        for host in HOSTS:
            rows = [record for records in self.records.values() for source, record in records if source == host.source]
            if rows:
                yield looked_up(host.source, rows)

    def conflicts(self, folder: Path) -> Iterator[FieldConflict]:
        """Yield the records that were not believed, and the fields in which the others disagree with the corpus."""
        yield from self.others
        new = {record.paper_id: source for records in self.records.values() for source, record in records}
        for merge in read_merges(folder):
            if merge.merged_id in new:
                for each in merge.conflicts:
                    yield FieldConflict(merge.paper_id, each.field, each.value, each.other, new[merge.merged_id])

    def gaps(self, corpus: Corpus, texts: Container[str]) -> Iterator[Gap]:
        """Yield what the papers lack, with the reason."""
        for paper in corpus.papers:
            for name in sorted(FIELDS.keys() - _fields_of(paper), key=list(FIELDS).index):
                able = [host.source for host in HOSTS if name in host.gives]
                asked = tuple(source for source in able if self._has_asked(paper, source))
                reasons = [self._reason(paper, source) for source in able]
                yield Gap(paper.paper_id, name, "; ".join(filter(None, reasons)) or "none has it", asked)
            if paper.paper_id not in texts:
                sought = self.desk.why_no_text(paper.paper_id)
                if sought is None:
                    yield Gap(paper.paper_id, FULL_TEXT, self.not_asked.get(FULL_TEXT, "not asked"), ())
                else:
                    yield Gap(paper.paper_id, FULL_TEXT, str(sought.why), ("arxiv", "openalex"), sought.is_absent)

    def _reason(self, paper: Paper, source: str) -> str | None:
        """Return why a source has not given a field; `None` if its record lacks it."""
        answer = self.desk.answer(paper.paper_id, source)
        if answer is not None:
            return f"{source}: {answer.why}"
        if not self._has_asked(paper, source):
            is_double = paper.paper_id in self.records
            skipped = "what others say of it belongs to another paper here" if is_double else "this step was left out"
            why = self.refused.get((paper.paper_id, source)) or self.not_asked.get(source, skipped)
            return f"{source} was not asked: {why}"
        return None


def looked_up(source: str, papers: Iterable[Paper]) -> OpenSource:
    """Return papers that were looked up at a host as a source of a build; updates do not read it again."""
    spec, rows = SourceSpec(source, LOOKED_UP), iter(enumerate(papers, 1))
    return OpenSource(spec, SOURCES.get(source), rows, Memory(), Window(), is_read_once=True)


_HOSTS = frozenset(host.source for host in HOSTS)
_ANOTHER = "another paper under its identifier"


def _retractions(inquiry: Inquiry) -> Retractions | None:
    """Return Retraction Watch's list of today; `None` if it cannot be fetched."""
    guests = inquiry.guests
    inquiry.progress.start("retractions", None)
    try:
        path = fetch_retractions(guests.settings, guests.around.say, guests.around.clock, inquiry.desk.today)
    except ProviderError as error:
        inquiry.not_asked["retraction-watch"] = str(error)
        return None
    finally:
        inquiry.progress.finish()
    return read_retractions(path)


def _add_texts(folder: Path, embedder: Embedder, inquiry: Inquiry, n_most: int, progress: Progress) -> None:
    """Fetch full texts, note why the others cannot be had, and index the texts."""
    desk, corpus = inquiry.desk, open_corpus(folder)
    for paper in corpus.papers:  # the text is sought by the arXiv id, if there is one, and would be the other paper's
        in_arxiv = identifier_keys(paper).get("arxiv")
        of_another = f"{_ANOTHER} {f'arxiv:{min(in_arxiv)}' if in_arxiv else f'doi:{doi_key(paper.doi)}'}: "
        answers = (desk.answer(paper.paper_id, source) for source in _HOSTS)
        why = next((each.why for each in answers if each and str(each.why).startswith(of_another)), None)
        if why is not None:
            desk.note(paper.paper_id, FULL_TEXT, why)
    sought_before = {each for each in corpus.papers.paper_ids() if desk.why_no_text(each) is not None}
    found: set[str] = set()
    failures: dict[str, str] = {}
    n_added = 0
    held = FullTexts.open(folder).texts
    n_without = sum(each not in held and each not in sought_before for each in corpus.papers.paper_ids())
    progress.start("full texts", min(n_without, n_most))
    for outcome in report_each(fetch_texts(folder, inquiry.guests, n_most, sought_before), progress):
        if outcome.format is not None:
            n_added += 1
            if n_added >= _FIRST_INDEXED and n_added.bit_count() == 1 and "dense" in corpus.manifest.parts:
                index_full_texts(folder, embedder, Silent())
        if outcome.match is None:
            inquiry.not_asked[FULL_TEXT] = f"not asked: {outcome.reason}"
        elif outcome.may_pass:
            failures[outcome.match.paper_id] = str(outcome.reason)
        else:
            found.add(outcome.match.paper_id)
            desk.note(outcome.match.paper_id, FULL_TEXT, outcome.reason)
    progress.finish()
    if n_added == n_most:
        inquiry.not_asked[FULL_TEXT] = f"not asked: this run was to add {n_most} texts; run it again, or ask for more"
    if FULL_TEXT not in inquiry.not_asked:
        texts = FullTexts.open(folder).texts
        for paper in corpus.papers:
            # Nobody can be asked for the text of a paper without an identifier; OpenAlex may know one by its title.
            answer = desk.answer(paper.paper_id, "openalex")
            was_asked = paper.doi or paper.arxiv_id or (answer is not None and answer.was_asked)
            if was_asked and not any(paper.paper_id in known for known in (texts, found, failures, sought_before)):
                desk.note(paper.paper_id, FULL_TEXT, NO_OPEN_TEXT, is_absent=True)
    if failures:
        first = next(iter(failures.values()))
        inquiry.not_asked.setdefault(FULL_TEXT, f"no answer about {len(failures)} papers, such as: {first}")
    if "dense" in corpus.manifest.parts:
        index_full_texts(folder, embedder, progress)
