"""The measured factors of each candidate, and the passages shown for it.

Factors are measured even if their weights are 0, so that sliders can be moved without another search.
"""

from dataclasses import fields, replace

from pathfinder.corpus.store import Corpus
from pathfinder.plugins import PluginProblem
from pathfinder.retrieval.factors import FACTORS, measure_factor
from pathfinder.retrieval.factors.factor import Pool
from pathfinder.retrieval.lookup.passages import fit_passages, shown_passages
from pathfinder.retrieval.lookup.question import Direction
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import Candidates, Floats


def with_signals(candidates: Candidates, query: str, vector: Direction, corpus: Corpus, log: StageLog) -> Candidates:
    """Return the candidates with every factor that can be measured for this question and corpus.

    A plug-in's factor that fails is left out, and noted in `log`.
    """
    fit = None
    if vector is not None and corpus.passages is not None:
        fit = fit_passages(candidates.rows, vector, corpus.passages)
        candidates = replace(candidates, passages=shown_passages(fit, corpus.passages))
    values = _measure(Pool(candidates, query, vector, corpus, fit), log)
    own = {entry.name for entry in fields(candidates)} & values.keys()
    extra = {name: numbers for name, numbers in values.items() if name not in own and numbers is not None}
    return replace(candidates, extra=extra, **{name: values[name] for name in own})  # type: ignore[arg-type]


def _measure(pool: Pool, log: StageLog) -> dict[str, Floats | None]:
    results = {factor.name: measure_factor(factor, pool) for factor in FACTORS.all() if factor.measure is not None}
    values: dict[str, Floats | None] = {}
    for name, result in results.items():
        if isinstance(result, PluginProblem):
            log.note(str(result))
        else:
            values[name] = result
    return values
