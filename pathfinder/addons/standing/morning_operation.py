"""The morning as an operation: new papers close to given ones, or to a whole library; written as lines, as Markdown for
a mail, and as JSON Feed and Atom.
"""

import datetime
import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, tostring

from pydantic import Field

from pathfinder.addons.standing.morning import (
    MAX_DAYS,
    ChangedPaper,
    KeptPaper,
    Morning,
    MorningPaper,
    Outage,
    Taste,
    category_of,
    morning_of,
)
from pathfinder.corpus.links import paper_address
from pathfinder.errors import UsageError
from pathfinder.operations.operation import Need, Operation, Options, PaperIds, Shell, result_of
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import LiveSource, Paper

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_JSON_FEED, _ATOM = "https://jsonfeed.org/version/1.1", "http://www.w3.org/2005/Atom"


def headline(morning: Morning) -> str:
    """Say in a sentence what there is; after an outage, never that there is nothing."""
    days = f"{morning.since:%d %B %Y}"
    if morning.until != morning.since:
        days += f" to {morning.until:%d %B %Y}"
    if not morning.n_new and morning.outages:
        return f"{days}: unknown, because a source could not be read"
    shown = f", the {len(morning.papers)} closest of them below" if len(morning.papers) < morning.n_new else ""
    count = {0: "no new papers", 1: "1 new paper"}.get(morning.n_new, f"{morning.n_new:,} new papers")
    partly = "; there may be more, because a source could not be read" if morning.outages else ""
    return f"{days}: {count}{shown}{partly}"


def outage_lines(morning: Morning) -> Iterator[str]:
    """Say for each source that could not be read why."""
    yield from (f"{_name(outage)} could not be read to its end: {outage.reason}" for outage in morning.outages)


def _name(outage: Outage) -> str:
    category = category_of(outage.source)
    return f"arXiv's list of {category}" if category else outage.source


def morning_lines(morning: Morning) -> Iterator[str]:
    """Format a morning."""
    yield f"{morning.taste}: {headline(morning)}"
    for rank, each in enumerate(morning.papers, start=1):
        yield f"{rank:>3}. {_line(each.paper)}"
        yield f"     {each.reason}"
    for changed in morning.changed:
        yield f"{changed.change}: {_line(changed.paper)}"


def morning_markdown(morning: Morning) -> str:
    """Write a morning in Markdown, as for a mail."""
    lines = [f"# {for_markdown(morning.taste)}", "", f"{headline(morning)}.", ""]
    lines += [f"- **{for_markdown(line)}**" for line in outage_lines(morning)]
    lines += [f"- {for_markdown(note)}" for note in morning.notes]
    for rank, each in enumerate(morning.papers, start=1):
        lines += [f"{rank}. {link(each.paper)}  ", f"   {for_markdown(each.reason)}"]
    if morning.changed:
        lines += ["", "## Changed", ""]
        lines += [f"- {for_markdown(each.change)}: {link(each.paper)}" for each in morning.changed]
    return "\n".join(lines) + "\n"


def json_feed(mornings: Sequence[Morning]) -> str:
    """Write mornings as a JSON Feed (https://www.jsonfeed.org/version/1.1/), the latest first."""
    items = [
        {
            "id": name,
            "title": title,
            "content_text": text,
            "date_published": f"{morning.until}T00:00:00Z",
            **({"external_url": url} if url else {}),
        }
        for morning, name, title, text, url in _items(mornings)
    ]
    return json.dumps({"version": _JSON_FEED, "title": "The morning's papers", "items": items}, ensure_ascii=False)


def atom_feed(mornings: Sequence[Morning], itself: str = "") -> str:
    """Write mornings as an Atom feed (RFC 4287), the latest first; `itself` is the address of the feed, if it has one,
    which may be relative.
    """
    feed = Element("feed", xmlns=_ATOM)
    SubElement(feed, "id").text = "urn:pathfinder:morning"
    SubElement(feed, "title").text = "The morning's papers"
    if itself:
        SubElement(feed, "link", rel="self", href=itself)
    last = max((f"{morning.until}T00:00:00Z" for morning in mornings), default="1970-01-01T00:00:00Z")
    SubElement(feed, "updated").text = last
    SubElement(SubElement(feed, "author"), "name").text = "Pathfinder"
    for morning, name, title, text, url in _items(mornings):
        entry = SubElement(feed, "entry")
        SubElement(entry, "id").text = name
        SubElement(entry, "title").text = title
        SubElement(entry, "updated").text = f"{morning.until}T00:00:00Z"
        SubElement(entry, "content", type="text").text = text
        if url:
            SubElement(entry, "link", href=url)
    return _NOT_IN_XML.sub("", tostring(feed, encoding="unicode", xml_declaration=True))


def _items(mornings: Sequence[Morning]) -> Iterator[tuple[Morning, str, str, str, str | None]]:
    """Yield the items of a feed, each once, with its morning, id, title, text and address."""
    seen: set[str] = set()
    for morning in sorted(mornings, key=lambda each: each.until, reverse=True):
        entries: list[tuple[tuple[str, ...], str, str, Paper | None]] = [
            (("outage", outage.source, f"{morning.until}"), f"not read: {_name(outage)}", outage.reason, None)
            for outage in morning.outages
        ]
        found: tuple[MorningPaper | ChangedPaper, ...] = (*morning.papers, *morning.changed)
        entries += [(*_entry(each), each.paper) for each in found]
        for key, title, text, paper in entries:
            name = f"urn:pathfinder:morning:{':'.join(quote(part, safe='') for part in (morning.taste, *key))}"
            if name not in seen:
                seen.add(name)
                yield morning, name, title, text, paper_address(paper) if paper is not None else None


def _entry(each: MorningPaper | ChangedPaper) -> tuple[tuple[str, ...], str, str]:
    title, paper_id = readable(each.paper.title), each.paper.paper_id
    if isinstance(each, ChangedPaper):
        return ("changed", paper_id, each.change), f"{each.change}: {title}", readable(each.paper.abstract)
    return ("new", paper_id), title, f"{each.reason}\n\n{readable(each.paper.abstract)}"


def _line(paper: Paper) -> str:
    status = f", {paper.status}" if paper.status else ""
    return f"{readable(paper.title)} ({paper.known_year or 'year unknown'}{status}) {paper.paper_id}"


def link(paper: Paper) -> str:
    """Write the title of a paper in Markdown, as a link if an identifier of it leads anywhere."""
    address, title = paper_address(paper), for_markdown(readable(paper.title))
    return f"[{title}]({address})" if address else title


# The operation.

CATEGORIES_HELP = "arXiv category whose new papers are read, such as astro-ph.GA."
DAYS_HELP = "Number of days to cover; arXiv announces nothing on Saturday and Sunday."
UNTIL_HELP = "Last day to cover, such as 2026-01-31. Default: today."
_CATEGORY = re.compile(r"[a-z]+(-[a-z]+)?(\.[A-Za-z]+(-[a-z]+)?)?")
_PHYSICS = {
    *("astro-ph", "cond-mat", "gr-qc", "hep-ex", "hep-lat", "hep-ph", "hep-th", "math-ph", "nlin", "nucl-ex"),
    *("nucl-th", "physics", "quant-ph"),
}
"""Archives of arXiv's group physics; every other archive is a group of its own."""


class MorningOptions(Options):
    """What a reader keeps, and where new papers are looked for."""

    papers: Annotated[
        PaperIds,
        Shell(
            "--paper PAPER_ID",
            "Id of a paper that you keep, the earliest first; without any, the whole library counts.",
        ),
    ] = Field(default=[])
    less: Annotated[PaperIds, Shell("--less PAPER_ID", "Id of a paper that you do not want more of.")] = Field(
        default=[]
    )
    categories: Annotated[list[str], Shell("--category NAME")] = Field(
        default=[], max_length=20, description=CATEGORIES_HELP
    )
    days: int = Field(default=1, ge=1, le=MAX_DAYS, description=DAYS_HELP)
    until: str | None = Field(default=None, description=UNTIL_HELP)
    most: int = Field(default=20, ge=1, le=200, description="Number of papers to list.")


def sources_of(categories: Sequence[str]) -> list[str]:
    """Return the sources of new papers. Raises `UsageError` for a category that cannot be one of arXiv, or if none is
    named.
    """
    sources = []
    for name in categories:
        if not _CATEGORY.fullmatch(name):
            raise UsageError(f"{name!r} is no category of arXiv: write one such as astro-ph.GA or hep-th")
        archive, _, subject = name.partition(".")
        group = "physics" if archive in _PHYSICS else archive
        sources.append(":".join(("oai", group, archive, *([subject] if subject else []))))
    if not sources:
        raise UsageError("no source of new papers is named: name a category of arXiv")
    return sources


def days_of(days: int, until: str | None) -> tuple[datetime.date, datetime.date]:
    """Return the first and the last day. Raises `UsageError` for a text that is no day, or a day too early."""
    try:
        last = datetime.date.fromisoformat(until) if until else datetime.datetime.now(datetime.UTC).date()
        return last - datetime.timedelta(days=days - 1), last
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{until!r} is no day that {days} days can end on: write one such as 2026-01-31") from error


def _run(pf: "Pathfinder", _: None, options: MorningOptions) -> Morning:
    since, until = days_of(options.days, options.until)
    sources = sources_of(options.categories)
    allowed = pf.live.allowed_sources if pf.live is not None else frozenset()
    if LiveSource.ARXIV not in allowed:
        raise UsageError("this server does not ask arXiv: run `pathfinder morning` on your own machine")
    from pathfinder.facade.shelves import check_ids

    check_ids(pf, (*options.papers, *options.less))
    papers = pf.corpus.papers
    kept, less = (
        tuple(KeptPaper(papers[int(row)]) for row in papers.rows_of(ids)) for ids in (options.papers, options.less)
    )
    if not options.papers:  # the latest papers of the library stand for it
        whole = sorted(papers, key=lambda paper: paper.published or datetime.date.min)
        kept = tuple(KeptPaper(paper) for paper in whole if paper.paper_id not in options.less)
    return morning_of(pf, Taste(pf.corpus.name.name, kept, less), sources, since, until, options.most)


OPERATION = Operation(
    name="morning",
    address="morning",
    help="Rank the papers of the last days by how close they are to papers that you keep, with a reason each; list new "
    "versions and withdrawals of papers in the library. Whether a version is new is known only where the library's own "
    "record numbers versions, as one read from arXiv does; the notes count the others.",
    options=MorningOptions,
    settings=(),
    run=_run,
    result=lambda: result_of(Morning),
    lines=morning_lines,
    failures=outage_lines,
    forms={
        "markdown": morning_markdown,
        "json-feed": lambda morning: json_feed([morning]) + "\n",
        "atom": lambda morning: atom_feed([morning]) + "\n",
    },
    tool="morning",
    needs=(Need.NETWORK,),
)
