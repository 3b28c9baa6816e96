"""Token matches of papers, raised by their full-text passages.

A passage counts only if it is closer to the question than the abstract is. The token match f of the paper becomes

    f + 0.5 max(0, g - f - 0.08 ln n)

where g is the token match of its best passage, and n the number of its passages: the best of many is high by chance
alone. Passages raise the match of a paper by a rule of the same form (`retrieval/lookup/full_texts.py`).
"""

from collections.abc import Sequence

import numpy as np

from pathfinder.index.ports import TokenSource
from pathfinder.models.ports import TokenEmbedder
from pathfinder.retrieval.reranking.local.predictors import Terms, TokenPool, by_tokens, cosines_of
from pathfinder.types import Candidates, Floats, Rows
from pathfinder.types.full_texts import FullTextPassage

MAX_READ = 8
"""Maximum number of passages that are read for a question, one from each of the first papers; each takes about 20 ms on
two cores.
"""

GAIN, MATCH_PER_LOG = 0.5, 0.08
"""Share of the excess (the lead minus the expected lead) that is added to the paper's token match, and the lead
expected of the best of n passages, divided by ln n; both are measured in `benchmarks/FULLTEXT.md`.
"""


def raised_by_passages(
    predictors: dict[str, Floats],
    candidates: Candidates,
    n_passages: Rows,
    terms: Terms,
    embedder: TokenEmbedder,
    tokens: TokenSource,
) -> dict[str, Floats]:
    """Return the token matches of the papers, raised by the best passage of each; other predictors are left out.

    `predictors` are those of the first candidates, each of shape (n,); `n_passages` counts the passages of each paper
    in the corpus, by row.
    """
    places = places_to_read(candidates, len(next(iter(predictors.values()))))
    if not places:
        return {}
    token_vectors = embedder.embed_tokens([text_of_passage(candidates, place) for place in places])
    own = [tokens.project(each.vectors[each.spans[:, 1] > each.spans[:, 0]]) for each in token_vectors]
    cosines = [cosines_of(vectors, terms.vectors) for vectors in own]
    matches = by_tokens(
        TokenPool(np.concatenate(cosines), np.array([len(each) for each in own], dtype=np.int64)), terms
    )
    n_each = n_passages[candidates.rows[places]]
    return {name: raised_at(places, predictors[name], match, n_each) for name, match in matches.items()}


def raised_at(places: Sequence[int], own: Floats, match: Floats, n_each: Rows) -> Floats:
    """Return the scores of papers, of shape (n,): `own`, raised for the papers at `places` by the scores `match` of
    their best passages; `n_each` counts the passages of each of these papers.
    """
    raised_matches = own.copy()
    raised_matches[places] += GAIN * np.maximum(match - own[places] - MATCH_PER_LOG * np.log(n_each), 0.0)
    return raised_matches


def places_to_read(candidates: Candidates, n: int) -> list[int]:
    """Return the places, among the first n, of the papers whose best passage is worth reading: eight at most."""
    return [place for place in range(n) if _best_passage(candidates, place)][:MAX_READ]


def text_of_passage(candidates: Candidates, place: int) -> str:
    """Return the best passage of the paper at `place`, preceded by the paper's title and the passage's heading."""
    paper, passage = candidates.papers[place], candidates.full_texts[int(candidates.rows[place])][0]
    return ". ".join(part.rstrip(".") for part in (paper.title, passage.heading, passage.text) if part)


def _best_passage(candidates: Candidates, place: int) -> FullTextPassage | None:
    """Return the best passage of a paper, if it is closer to the question in meaning than the abstract is."""
    passages = candidates.full_texts.get(int(candidates.rows[place]), ())
    if not passages:
        return None
    best, dense = passages[0], candidates.dense[place]
    return None if best.score is not None and best.score <= dense else best
