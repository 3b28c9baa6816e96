"""Writes the changes between the runs of standing questions as a JSON Feed, version 1.1
(https://www.jsonfeed.org/version/1.1/).
"""

from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import quote

from pathfinder.export.plain_json import JsonObject
from pathfinder.standing.changes import ARRIVAL_LABELS, DEPARTURE_LABELS, StandingChanges, changes_between
from pathfinder.standing.log import StandingLog
from pathfinder.standing.question import StandingQuestion
from pathfinder.standing.records import contest_lines, paper_line
from pathfinder.standing.runs import RankedPaper
from pathfinder.text.latex.display import readable

VERSION = "https://jsonfeed.org/version/1.1"
MEDIA_TYPE = "application/feed+json"
MAX_ITEMS = 200
"""Maximum number of items in a feed; the newest are kept."""


def feed(log: StandingLog, corpus: str) -> JsonObject:
    """Return the feed of all standing questions about the corpus called `corpus`: each change between two runs is an
    item, newest first.

    The id of an item follows from its question and its papers, so that it stays the same in later feeds. A feed does
    not depend on what has been seen, and marks nothing as seen.
    """
    items = {item["id"]: item for question in log.questions() for item in reversed([*_items(question, log)])}
    newest = sorted(items.values(), key=lambda item: (item["date_published"], item["id"]), reverse=True)
    return {
        "version": VERSION,
        "title": f"Standing questions about {corpus}",
        "description": "Papers that are new, moved or gone, and findings that are now contested.",
        "items": newest[:MAX_ITEMS],
    }


def _items(question: StandingQuestion, log: StandingLog) -> Iterator[JsonObject]:
    """Yield the items of a question, oldest first."""
    runs = log.runs(question)
    for n, (before, now) in enumerate(pairwise(runs), start=2):
        yield from _of_changes(question, changes_between(before, now, runs[:n]))


def _of_changes(question: StandingQuestion, changes: StandingChanges) -> Iterator[JsonObject]:
    day = changes.now.at.isoformat(timespec="seconds")
    for new in changes.new:
        text = f"{paper_line(new.paper)}\nRank {new.rank}; {ARRIVAL_LABELS[new.arrival]}."
        yield _item(question, day, "new", (new.paper.paper_id,), text, new.paper)
    for moved_paper in changes.moved_papers:
        text = f"{paper_line(moved_paper.paper)}\nRank {moved_paper.rank}, before {moved_paper.rank_before}."
        yield _item(question, day, "moved", (moved_paper.paper.paper_id, day), text, moved_paper.paper)
    for gone_paper in changes.gone_papers:
        departure = DEPARTURE_LABELS[gone_paper.departure]
        text = f"{paper_line(gone_paper.paper)}\nRank before: {gone_paper.rank_before}; {departure}."
        yield _item(
            question, day, "gone", (gone_paper.paper.paper_id, gone_paper.departure.value), text, gone_paper.paper
        )
    for contest in changes.contests:
        yield _item(question, day, "contested", contest.key, "\n".join(contest_lines(contest)))
    if changes.levels is not None:
        text = f"Consensus: {changes.levels[0]} before, {changes.levels[1]} now."
        yield _item(question, day, "consensus", (day,), text)


def _item(
    question: StandingQuestion,
    day: str,
    kind: str,
    key: tuple[str, ...],
    text: str,
    paper: RankedPaper | None = None,
) -> JsonObject:
    names = ":".join(quote(part, safe="") for part in (question.id, kind, *key))
    title = readable(paper.title) if paper else "now contested" if kind == "contested" else "consensus"
    return {
        "id": f"urn:pathfinder:standing:{names}",
        "title": f"{question.name}: {kind if paper else ''}{': ' if paper else ''}{title}",
        "content_text": text,
        "date_published": day,
        "tags": [kind, question.name],
        **({"external_url": paper.url} if paper and paper.url else {}),
    }
