"""Writes a timeline as JSON for programs."""

from pathfinder.export.plain_json import JsonObject, as_json
from pathfinder.export.records import paper_record
from pathfinder.types import Timeline


def timeline_record(timeline: Timeline) -> JsonObject:
    """Describe a timeline: question, years (year, n), papers, first_mentions (term, n_papers and the paper), values (as
    `StatedValue`), consensus (year, score and level, or null) and notes.
    """
    history = timeline.consensus
    return {
        "question": timeline.question,
        "years": [{"year": year, "n": n} for year, n in timeline.years],
        "papers": [paper_record(paper) for paper in timeline.papers],
        "first_mentions": [
            {"term": mention.term, "n_papers": mention.n_papers, **paper_record(mention.paper)}
            for mention in timeline.first_mentions
        ],
        "values": as_json(timeline.values),
        "consensus": None
        if history is None
        else [{"year": year.year, "score": year.score, "level": year.level} for year in history.years],
        "notes": list(timeline.notes),
    }
