"""Writes a screening as JSON or as a CSV table: every decision with its time and reason, the counts and the
estimate.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from pathfinder.export.plain_json import JsonObject
from pathfinder.export.tables import table
from pathfinder.screening.decisions import Decision, Screening, prisma_counts
from pathfinder.screening.pool import WeighingWord
from pathfinder.text.latex.display import readable
from pathfinder.types import Paper

DECISION_COLUMNS = ("order", "id", "title", "year", "doi", "verdict", "in_force", "time", "reason", "is_control")


def status_record(screening: Screening, words: Sequence[WeighingWord] = ()) -> JsonObject:
    """Describe the progress of a screening.

    "n" is the size of the pool, "read" the number of papers that are in or out. "estimate" gives the estimated recall
    and its lower limit at the promised confidence (both null until a paper is in), the estimated and the largest
    plausible number of relevant papers that were missed, whether the stopping rule says to stop, and after how many
    more papers it would say so if none of them were in. "control" describes the random sample, with the 95% interval
    that it alone gives for the number of relevant papers in the pool. "words" lists the words that weigh most towards
    the verdicts in and out, and "prisma" holds the counts in the flow diagram.
    """
    estimate, control, n = screening.estimate(), screening.control(), len(screening.paper_ids)
    return {
        "question": screening.question,
        "n": n,
        "read": n - estimate.n_unread,
        "unread": estimate.n_unread,
        "estimate": {
            "recall": estimate.recall,
            "recall_at_least": estimate.recall_at_least,
            "missed": estimate.n_missed,
            "missed_at_most": estimate.n_missed_at_most,
            "promised": screening.promise.recall,
            "confidence": screening.promise.confidence,
            "odds": screening.promise.odds,
            "may_stop": screening.may_stop(),
            "papers_to_go": screening.papers_to_go(),
        },
        "control": {
            "n": control.n,
            "in": control.n_in,
            "relevant_at_least": control.share_low * n,
            "relevant_at_most": control.share_high * n,
        },
        "words": [asdict(word) for word in words],
        "prisma": asdict(prisma_counts(screening)),
    }


def screening_record(screening: Screening, papers: Mapping[str, Paper]) -> JsonObject:
    """Return the status of a screening with every decision; `papers` holds the papers in the pool, by id."""
    return {
        **status_record(screening),
        "strategy": screening.strategy.value,
        "control_every": screening.control_every,
        "seed": screening.seed,
        "decisions": [dict(zip(DECISION_COLUMNS, row, strict=True)) for row in _decision_rows(screening, papers)],
    }


def decisions_csv(screening: Screening, papers: Mapping[str, Paper]) -> str:
    """Write a line for each decision, in order, with `DECISION_COLUMNS`; `papers` holds the papers in the pool, by id.
    A decision that a later one replaced is not in force.
    """
    return table(DECISION_COLUMNS, _decision_rows(screening, papers))


def _decision_rows(screening: Screening, papers: Mapping[str, Paper]) -> list[tuple[object, ...]]:
    latest = screening.latest()
    return [
        _row(place, decision, papers[decision.paper_id], in_force=latest[decision.paper_id] is decision)
        for place, decision in enumerate(screening.decisions, start=1)
    ]


def _row(place: int, decision: Decision, paper: Paper, *, in_force: bool) -> tuple[object, ...]:
    return (
        place, decision.paper_id, readable(paper.title), paper.year, paper.doi, decision.verdict.value, in_force,
        decision.time.isoformat(timespec="seconds"), decision.reason, decision.is_control,
    )  # fmt: skip
