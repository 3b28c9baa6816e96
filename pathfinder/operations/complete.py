"""What the papers of a corpus lack, fetched from the hosts that have it; and the ledger of what they have."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import Field

from pathfinder.errors import ProviderError, UsageError
from pathfinder.operations.export.plain_json import JsonObject, as_json
from pathfinder.operations.operation import LinkTo, Need, Operation, Options, Shell, declare, result_of
from pathfinder.settings import read_settings
from pathfinder.text.english import counted

if TYPE_CHECKING:
    from pathfinder.building.filling import FillReport
    from pathfinder.building.ledger import PaperLedger
    from pathfinder.building.paper_files import PaperFile
    from pathfinder.building.progress import Progress
    from pathfinder.building.zotero_library import ZoteroReport
    from pathfinder.corpus.store import Corpus
    from pathfinder.sources.ads_lookup import AdsRecord

_MOST_SHOWN = 5
_ADDRESS = re.compile(r"https?://([^/\s]+)\S*")
_ONLY = (
    "Fetch only these: records (from OpenAlex, arXiv, Crossref and, with your own key, Semantic Scholar), retractions "
    "(Retraction Watch's list), texts (open-access full texts), or ads (with your own token; shown, never stored)."
)

_FILES = (
    "First add the papers of these files, such as a folder of PDFs, with their full texts: each is recognised by an "
    "identifier or its title, and its record comes from a host."
)

_ZOTERO = (
    "First add the library of the Zotero that runs on this machine: papers, attached files as full texts, its notes "
    "and collections as shelves."
)


class CompleteOptions(Options):
    """What to fetch."""

    only: Annotated[list[str] | None, Shell("--only STEP", _ONLY)] = None
    files: Annotated[list[str] | None, Shell("--files PATH", _FILES)] = None
    zotero: bool = Field(default=False, description=_ZOTERO)
    max_texts: int = Field(default=500, ge=0, description="Add at most this many full texts.")
    papers: Annotated[
        list[str] | None, Shell("--paper ID", "With --only ads: look up only the papers with these ids.")
    ] = None
    ledger: bool = Field(default=False, description="Fetch nothing: list what each paper has, from whom, since when.")


class Completed(NamedTuple):
    """What was done."""

    report: "FillReport | None"
    ads: "Mapping[str, AdsRecord | None]"
    """What ADS has of each paper; `None` for one that was asked for by its id and that ADS has no record of."""
    ledger: "tuple[PaperLedger, ...] | None"
    """What each paper has."""
    files: "tuple[PaperFile, ...]" = ()
    zotero: "ZoteroReport | None" = None
    """What came from Zotero."""


def _run(corpus: "Corpus", progress: "Progress | None", options: CompleteOptions) -> Completed:
    from pathfinder.building.embedding import embedder_for
    from pathfinder.building.filling import STEPS, fill, guests_of
    from pathfinder.building.ledger import ledger
    from pathfinder.building.paper_files import take_in_files
    from pathfinder.building.progress import Silent
    from pathfinder.building.zotero_library import take_in_zotero
    from pathfinder.corpus.store import open_corpus
    from pathfinder.fulltext.adding import files_in
    from pathfinder.sources.ads_lookup import ads_host, look_up

    if options.ledger:
        return Completed(None, {}, tuple(ledger(corpus)))
    steps = options.only or STEPS
    if unknown := sorted(set(steps) - {*STEPS, "ads"}):
        raise UsageError(f"{unknown[0]!r} is nothing that can be fetched: choose among {', '.join((*STEPS, 'ads'))}")
    if options.papers and set(steps) != {"ads"}:
        raise UsageError("--paper limits what is looked up at ADS: add --only ads")
    rows = corpus.papers.known_rows(options.papers or ())
    settings, progress = read_settings(), progress or Silent()
    if "ads" in steps:
        ads_host(settings)  # a missing token is said before anything is fetched
    guests = guests_of(settings, progress)
    embedder = cache(lambda: embedder_for(None, corpus.folder, settings, needs_key=False))  # ADS needs none
    library = take_in_zotero(corpus.folder, embedder(), guests, progress) if options.zotero else None
    files: tuple[PaperFile, ...] = ()
    if options.files:
        files = take_in_files(corpus.folder, embedder(), guests, files_in(map(Path, options.files)), progress)
    report = None
    if set(steps) != {"ads"}:
        report = fill(corpus.folder, embedder(), guests, steps=steps, n_texts=options.max_texts, progress=progress)
    ads: Mapping[str, AdsRecord | None] = {}
    if "ads" in steps:
        try:
            papers = corpus.papers.take(rows) if options.papers else open_corpus(corpus.folder).papers
            ads = dict.fromkeys(options.papers or ()) | look_up(tuple(papers), settings, guests.around)
        except ProviderError as error:
            if report is None:
                raise
            report = replace(report, not_asked={**report.not_asked, "ads": str(error)})
    return Completed(report, ads, None, files, library)


def _result() -> Any:
    return result_of(Completed, flat="report", if_any="zotero files papers ads", papers="ledger")


def _brief(completed: Completed, record: JsonObject, _: LinkTo) -> JsonObject:
    """Count what was filled and what is missing, and keep the files, and what was refused or not asked."""
    report, library = completed.report, completed.zotero
    if report is None:
        return record
    return {
        "n_filled": sum(report.filled.values()),
        "n_missing": len(report.missing),
        "n_conflicts": len(report.conflicts),
        "not_asked": dict(report.not_asked),
        "seconds": report.seconds,
        "files": as_json((*(library.files if library is not None else ()), *completed.files)),
        "shelves": dict(library.shelves) if library is not None else {},
        "refused": dict(library.refused) if library is not None else {},
    }


def _lines(completed: Completed) -> Iterator[str]:
    if (library := completed.zotero) is not None:
        yield from file_lines(library.files)
        shelves = ", ".join(f"{name} {n:,}" for name, n in library.shelves.items())
        held = f"{counted(library.n_papers, 'paper')}, {counted(library.n_notes, 'note')}"
        yield f"Zotero: {held}, shelves: {shelves or 'none'}"
        yield from (f"not a shelf: {name}: {why}" for name, why in library.refused.items())
    yield from file_lines(completed.files)
    for entry in completed.ledger or ():
        yield f"{entry.paper_id}  {entry.title}"
        for name, holding in entry.holdings.items():
            since = f" since {holding.since}" if holding.since else ""
            licence = f", {holding.licence}" if holding.licence else ""
            yield f"    {_plain(name)}: {holding.source or holding.why}{since}{licence}"
    if completed.report is not None:
        yield from _report_lines(completed.report)
    for paper_id, found in completed.ads.items():
        if found is None:
            yield f"{paper_id}  no record at ADS for its bibcode, DOI or arXiv id"
            continue
        count = "unknown" if found.citation_count is None else f"{found.citation_count:,}"
        yield f"{paper_id}  {found.bibcode}  citations {count}  references {len(found.references):,}"


def file_lines(files: "Iterable[PaperFile]") -> Iterator[str]:
    """Format what became of files of papers."""
    for each in files:
        recognised = f"{each.file} -> {each.paper_id} ({each.by})"
        yield recognised if each.paper_id else f"not recognised: {each.file}: {each.why}"
        yield from (f"    {line}" for line in each.first_lines)


def _report_lines(report: "FillReport") -> Iterator[str]:
    gaps: dict[str, Counter[str]] = {}
    for gap in report.missing:
        gaps.setdefault(gap.field, Counter())[_ADDRESS.sub(r"an address at \1", gap.why)] += 1
    for name, n in report.filled.items():
        missing = gaps.get(name, Counter())
        yield f"{_plain(name)}: filled in {n:,}, missing in {missing.total():,}"
        for why, n_papers in missing.most_common(_MOST_SHOWN):
            words = why
            for source, reason in report.not_asked.items():  # each reason is given once, below
                words = words.replace(f"{source} was not asked: {reason}", f"{source} was not asked")
            yield f"    {counted(n_papers, 'paper')}: {words}"
    for conflict in report.conflicts[:_MOST_SHOWN]:
        yield f"{conflict.paper}: {conflict.field} is {conflict.value!r}, {conflict.source} says {conflict.other!r}"
    if len(report.conflicts) > _MOST_SHOWN:
        yield f"conflicts: {len(report.conflicts):,} (--json lists them all)"
    for source, why in report.not_asked.items():
        yield f"not asked: {_plain(source)}: {why.removeprefix('not asked: ')}"
    yield f"in {report.seconds:.1f} s"


def _plain(name: str) -> str:
    return name.replace("_", " ")


OPERATION: Operation[CompleteOptions, Completed] = Operation(
    name="complete",
    needs=(Need.NETWORK,),
    help="Fill the gaps of a corpus: fetch the abstracts, authors, dates, references, counts and open full texts that "
    "its papers lack, mark retracted papers, and report what is still missing, and why.",
    options=CompleteOptions,
    settings=(),
    folder_first=True,
    opens="corpus",
    changes=lambda options: not options.ledger and (options.only != ["ads"] or bool(options.files) or options.zotero),
    run=_run,
    result=_result,
    lines=_lines,
    brief=_brief,
)


@declare(
    "ads",
    is_hidden=True,
    settings=(),
    opens="corpus",
    needs=OPERATION.needs,
    result=_result,
    lines=_lines,
)
def ads(
    corpus: "Corpus",
    paper_ids: Annotated[list[str], Shell("PAPER_ID...", "Ids of papers in the corpus.")],
) -> Completed:
    """Look up papers in NASA ADS: bibcode, current citation count, references. Nothing is stored."""
    return _run(corpus, None, CompleteOptions(only=["ads"], papers=paper_ids))
