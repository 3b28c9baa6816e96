"""Writes mornings for people and for feed readers: lines, Markdown for a mail, JSON Feed and Atom."""

import json
import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, tostring

from pathfinder.addons.standing.morning import ChangedPaper, Morning, MorningPaper, Outage, category_of
from pathfinder.export.links import paper_links
from pathfinder.text.latex.display import for_markdown, readable
from pathfinder.types import Paper

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
                links = paper_links(paper) if paper is not None else ()
                yield morning, name, title, text, links[0].url if links else None


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
    links, title = paper_links(paper), for_markdown(readable(paper.title))
    return f"[{title}]({links[0].url})" if links else title
