"""Writes standing questions and their changes as JSON and in words."""

from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import quote

from pathfinder.addons.standing.changes import GonePaper, StandingChanges, changes_between
from pathfinder.addons.standing.log import StandingLog
from pathfinder.addons.standing.question import BASIS_LABELS, Contest, RankedPaper, StandingQuestion, StandingRun
from pathfinder.export.plain_json import JsonObject, as_json, same_names, select
from pathfinder.text.english import counted
from pathfinder.text.latex.display import readable


def question_record(question: StandingQuestion, log: StandingLog) -> JsonObject:
    """Describe a standing question: id, name, question, settings, statement, uses_chat, added_at, n_runs, last_run,
    seen_run, n_unseen (null before its first run) and failure (the message of the last run if it failed).
    """
    runs, failure = log.runs(question), log.failure(question)
    return {
        **select(question, same_names("id name statement uses_chat added_at") | {"question": "query"}),
        "settings": {name: value for name, value in question.record.items() if name != "query"},
        "n_runs": len(runs),
        "last_run": as_json(runs[-1].at) if runs else None,
        "seen_run": as_json(log.seen_at(question)),
        "n_unseen": log.changes(question).n_changes if runs else None,
        "failure": failure.message if failure else None,
    }


def changes_record(question: StandingQuestion, changes: StandingChanges) -> JsonObject:
    """Describe changes: name, question, before and now (runs), new, moved, gone, contested, levels and notes."""
    levels, ranks = changes.levels, enumerate(changes.now.papers, start=1)
    return {
        **select(question, {"name": "name", "question": "query"}),
        **select(changes, {"contested": "contests", **same_names("is_first is_seen notes")}),
        "before": _run(changes.before),
        "now": _run(changes.now) | {"papers": [_paper(paper, "score") | {"rank": rank} for rank, paper in ranks]},
        "new": [_paper(each.paper, "score") | select(each, same_names("rank arrival")) for each in changes.new],
        "moved": [
            _paper(each.paper, "score") | select(each, same_names("rank rank_before")) for each in changes.moved_papers
        ],
        "gone": [
            _paper(each.paper) | select(each, same_names("rank_before departure")) for each in changes.gone_papers
        ],
        "levels": None if levels is None else {"before": levels[0].value, "now": levels[1].value},
    }


def _run(run: StandingRun) -> JsonObject:
    return {**select(run, same_names("at version n_papers")), **select(run.agreement, same_names("basis level"))}


def _paper(paper: RankedPaper, more: str = "") -> JsonObject:
    return select(paper, {"id": "paper_id", **same_names(f"title year {more}")})


def describe_changes(changes: StandingChanges) -> str:
    """Say in a few words what has changed: "3 new, 1 moved, 1 now contested"."""
    if changes.is_first:
        return f"{counted(len(changes.now.papers), 'paper')} in its first run"
    counts = (
        *((len(papers), kind) for kind, papers in changes.papers.items()),
        (len(changes.contests), "now contested"),
        (int(changes.levels is not None), "change in the consensus"),
    )
    return ", ".join(f"{n} {words}" for n, words in counts if n) or "nothing new"


def change_lines(question: StandingQuestion, changes: StandingChanges) -> Iterator[str]:
    """Yield the changes between two runs of a standing question as lines of text."""
    yield f"{question.name}: {describe_changes(changes)}"
    yield since_line(changes)
    if changes.is_first:
        for rank, paper in enumerate(changes.now.papers, start=1):
            yield f"  {rank}. {paper_line(paper)}"
    for kind, papers in changes.papers.items():
        yield from (f"{kind}: {paper_line(each.paper)}: {each.words}" for each in papers)
    for contest in changes.contests:
        yield from contest_lines(contest)
    if changes.levels is not None:
        yield f"consensus: {changes.levels[0]} before, {changes.levels[1]} now"


def since_line(changes: StandingChanges) -> str:
    """Say which runs are compared, and how the agreement was assessed."""
    now, before = changes.now, changes.before
    means = f"Agreement {BASIS_LABELS[now.agreement.basis]}."
    if changes.is_first:
        return f"Run on {now.at:%d %B %Y, %H:%M} UTC, {now.n_papers:,} papers. {means}"
    if before.at == now.at:
        return f"Run on {now.at:%d %B %Y, %H:%M} UTC, {now.n_papers:,} papers, which you have seen. {means}"
    which = "the last one you saw" if changes.is_seen else "the first one, because you have not seen any yet"
    first, second = (f"{run.at:%d %B %Y, %H:%M} UTC, {run.n_papers:,} papers" for run in (now, before))
    return f"Run on {first}; compared with the run of {second}, {which}. {means}"


def contest_lines(contest: Contest) -> Iterator[str]:
    """Yield a contest with both quotations as lines of text."""
    yield f"now contested: {contest.subject.rstrip('.')}: {contest.reason}"
    for side in contest.sides:
        yield f"  {readable(side.title)} ({side.year or 'year unknown'}) {side.paper_id}"
        yield f"    {side.quoted}"


def paper_line(paper: RankedPaper) -> str:
    """Describe a paper in one line."""
    status = f", {paper.status}" if paper.status else ""
    return f"{readable(paper.title)} ({paper.year or 'year unknown'}{status}) {paper.paper_id}"


# Writes the changes between the runs of standing questions as a JSON Feed, version 1.1
# (https://www.jsonfeed.org/version/1.1/).

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
        changes = changes_between(before, now, runs[:n])
        day = changes.now.at.isoformat(timespec="seconds")
        times = {"new": (), "moved": (day,)}  # a paper may move on several days, but be new only once
        for kind, papers in changes.papers.items():
            for each in papers:
                own = (each.departure.value,) if isinstance(each, GonePaper) else times[kind]
                text = f"{paper_line(each.paper)}\n{each.words.capitalize()}."
                yield _item(question, day, kind, (each.paper.paper_id, *own), text, each.paper)
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
