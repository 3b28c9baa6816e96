"""Papers of the pool whose title is the question."""

from dataclasses import replace

from pathfinder.corpus.papers import PaperTable
from pathfinder.retrieval.known_items.named import STAGE
from pathfinder.retrieval.known_items.titles import titles_like
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import Candidates

N_COMPARED = 100
"""Number of papers, best match first, whose titles are compared: a paper matches its own title better than nearly all
others do.
"""


def with_titled(question: str, candidates: Candidates, papers: PaperTable, log: StageLog) -> Candidates:
    """Mark the papers whose title is `question`, unless it names papers by identifiers; nothing is recorded for a
    question that is not a title.
    """
    if candidates.known:
        return candidates
    with log.stage(STAGE, is_optional=True) as stage:
        rows = candidates.rows[:N_COMPARED]
        match = titles_like(question, papers.take(rows).titles())
        if match is None:
            return candidates
        stage.ran, places = match
    return replace(candidates, known={int(rows[place]): stage.ran for place in places})
