"""The measured factors of each candidate, and the passages shown for it.

Factors are measured even if their weights are 0, so that sliders can be moved without another search.
"""

from dataclasses import fields, replace

from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.retrieval.factors import FACTORS
from pathfinder.retrieval.factors.factor import Pool
from pathfinder.retrieval.passages import fit_passages, shown_passages
from pathfinder.retrieval.question import Direction
from pathfinder.types import Candidates, Floats


def with_signals(candidates: Candidates, query: str, vector: Direction, corpus: Corpus) -> Candidates:
    """Return the candidates with every factor that can be measured for this question and corpus."""
    fit = None
    if vector is not None and corpus.passages is not None:
        fit = fit_passages(candidates.rows, vector, corpus.passages)
        candidates = replace(candidates, passages=shown_passages(fit, corpus.passages))
    measured = _measured(Pool(candidates, query, vector, corpus, fit))
    own = {entry.name for entry in fields(candidates)} & measured.keys()
    extra = {name: values for name, values in measured.items() if name not in own and values is not None}
    return replace(candidates, extra=extra, **{name: measured[name] for name in own})  # type: ignore[arg-type]


def _measured(pool: Pool) -> dict[str, Floats | None]:
    measured = {factor.name: factor.measure(pool) for factor in FACTORS.all() if factor.measure is not None}
    for name, values in measured.items():
        if values is not None and values.shape != (len(pool.candidates),):
            raise UsageError(
                f"the ranking factor {name!r} measured an array of shape {values.shape} for {len(pool.candidates)} "
                "candidates: it must give one value each; switch plug-ins off by PATHFINDER_PLUGINS=off"
            )
    return measured
