"""Calls that report on many papers at once: comparison table, tensions, network and timeline."""

from typing import TYPE_CHECKING, Any

from pathfinder.errors import UsageError
from pathfinder.export.plain_json import JsonObject
from pathfinder.serving.fields import request_of
from pathfinder.types import Tie

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder


def table(pf: "Pathfinder", body: Any) -> JsonObject:
    """Compare the papers found for a `query`, or those with the ids in `papers`, column by column: what `pathfinder
    table --json` prints. A chat model fills in the cells; without one, the cells hold sentences from the abstracts.
    """
    from pathfinder.export.comparison import comparison_record

    if (body.query is None) == (not body.papers):
        raise UsageError(
            "a table compares the papers found for a query, or those with the ids in papers: send query or papers"
        )
    session = pf.for_question(pf.policy.budget)
    papers = body.papers if body.query is None else session.search(request_of(body))
    return comparison_record(session.comparison_table(papers, body.columns))


def tensions(pf: "Pathfinder", body: Any) -> JsonObject:
    """Find pairs of papers that disagree on a value or a statement: what `pathfinder tensions --json` prints."""
    from pathfinder.export.tensions import tensions_record

    return tensions_record(pf.tensions(pf.search(request_of(body)), body.papers))


def network(pf: "Pathfinder", body: Any) -> JsonObject:
    """Link the papers found and their neighbours by citations or likeness: what `pathfinder network --json` prints."""
    from pathfinder.export.paper_network import network_record

    return network_record(pf.network(pf.search(request_of(body)), body.by and Tie(body.by), body.papers))


def timeline(pf: "Pathfinder", body: Any) -> JsonObject:
    """Put papers, first mentions of terms, values and consensus on one timeline: what `pathfinder timeline --json`
    prints.
    """
    from pathfinder.export.timeline import timeline_record

    session = pf.for_question(pf.policy.budget)
    result = session.search(request_of(body))
    history = session.consensus_over_time(result) if body.consensus else None
    return timeline_record(session.timeline(result, body.papers, history))
