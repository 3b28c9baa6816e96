"""What the papers of a corpus lack, fetched from the hosts that have it; and the ledger of what they have."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import Field

from pathfinder.errors import UsageError
from pathfinder.export.plain_json import JsonObject, as_json
from pathfinder.operations.operation import Operation, Options, Shell

if TYPE_CHECKING:
    from pathfinder.building.filling import FillReport
    from pathfinder.building.ledger import PaperLedger
    from pathfinder.building.progress import Progress
    from pathfinder.corpus.store import Corpus
    from pathfinder.sources.ads_lookup import AdsRecord

_MOST_SHOWN = 5
_ONLY = (
    "Fetch only these: records (from OpenAlex, arXiv, Crossref and, with your own key, Semantic Scholar), retractions "
    "(Retraction Watch's list), texts (open-access full texts), or ads (with your own token; shown, never stored)."
)


class CompleteOptions(Options):
    """What to fetch."""

    only: Annotated[list[str] | None, Shell("--only STEP")] = Field(default=None, description=_ONLY)
    max_texts: int = Field(default=500, ge=0, description="Add at most this many full texts.")
    ledger: bool = Field(default=False, description="Fetch nothing: list what each paper has, from whom, since when.")


class Completed(NamedTuple):
    """What was done."""

    report: "FillReport | None"
    ads: "Mapping[str, AdsRecord]"
    ledger: "tuple[PaperLedger, ...] | None"


def _run(corpus: "Corpus", progress: "Progress | None", options: CompleteOptions) -> Completed:
    from pathfinder.building.embedder_choice import embedder_for
    from pathfinder.building.filling import STEPS, fill
    from pathfinder.building.ledger import ledger
    from pathfinder.building.progress import Silent
    from pathfinder.fulltext.fetching import Guests
    from pathfinder.settings import read_settings
    from pathfinder.sources.ads_lookup import look_up
    from pathfinder.sources.http.pace import Clock
    from pathfinder.sources.http.web import surroundings_of

    if options.ledger:
        return Completed(None, {}, tuple(ledger(corpus)))
    steps = options.only or STEPS
    if unknown := sorted(set(steps) - {*STEPS, "ads"}):
        raise UsageError(f"{unknown[0]!r} is nothing that can be fetched: choose among {', '.join((*STEPS, 'ads'))}")
    settings, progress = read_settings(), progress or Silent()
    guests = Guests(settings, surroundings_of(settings, Clock(), progress.say))
    report = None
    if set(steps) != {"ads"}:
        embedder = embedder_for(None, corpus.folder, settings)
        report = fill(corpus.folder, embedder, guests, steps=steps, n_texts=options.max_texts, progress=progress)
    ads = look_up(tuple(corpus.papers), settings, guests.around) if "ads" in steps else {}
    return Completed(report, ads, None)


def _record(completed: Completed) -> JsonObject:
    """Write the report of `fill`, what ADS has under "ads", or the ledger under "papers"."""
    record: JsonObject = {}
    if completed.ledger is not None:
        record["papers"] = as_json(completed.ledger)
    if completed.report is not None:
        record |= as_json(completed.report)
    if completed.ads:
        record["ads"] = {paper_id: as_json(found) for paper_id, found in completed.ads.items()}
    return record


def _lines(completed: Completed) -> Iterator[str]:
    for entry in completed.ledger or ():
        yield f"{entry.paper_id}  {entry.title}"
        for name, holding in entry.holdings.items():
            since = f" since {holding.since}" if holding.since else ""
            licence = f", {holding.licence}" if holding.licence else ""
            yield f"    {_plain(name)}: {holding.source or holding.why}{since}{licence}"
    if completed.report is not None:
        yield from _report_lines(completed.report)
    for paper_id, found in completed.ads.items():
        count = "unknown" if found.citation_count is None else f"{found.citation_count:,}"
        yield f"{paper_id}  {found.bibcode}  citations {count}  references {len(found.references):,}"


def _report_lines(report: "FillReport") -> Iterator[str]:
    gaps: dict[str, Counter[str]] = {}
    for gap in report.missing:
        gaps.setdefault(gap.field, Counter())[gap.why] += 1
    for name, n in report.filled.items():
        missing = gaps.get(name, Counter())
        yield f"{_plain(name)}: filled in {n:,}, missing in {missing.total():,}"
        yield from (f"    {n_papers:,}: {why}" for why, n_papers in missing.most_common(_MOST_SHOWN))
    for conflict in report.conflicts[:_MOST_SHOWN]:
        yield f"{conflict.paper}: {conflict.field} is {conflict.value!r}, {conflict.source} says {conflict.other!r}"
    if len(report.conflicts) > _MOST_SHOWN:
        yield f"conflicts: {len(report.conflicts):,} (--json lists them all)"
    for source, why in report.not_asked.items():
        yield f"not asked: {source}: {why}"
    yield f"in {report.seconds:.1f} s"


def _plain(name: str) -> str:
    return name.replace("_", " ")


OPERATION: Operation[CompleteOptions, Completed] = Operation(
    name="complete",
    help="Fill the gaps of a corpus: fetch the abstracts, authors, dates, references, counts and open full texts that "
    "its papers lack, mark retracted papers, and report what is still missing, and why.",
    options=CompleteOptions,
    settings=(),
    folder_first=True,
    opens="corpus",
    changes=lambda options: not options.ledger,
    run=_run,
    record=_record,
    lines=_lines,
    address=None,
)
