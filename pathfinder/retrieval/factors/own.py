"""Pathfinder's own ranking factors.

To add one, add an entry to `OWN_FACTORS` with its `measure` or `weights`: its value and strength are then stored in the
`extra` fields of `Candidates`, `Score` and `Weighting`, and its query parameter in links is `w-NAME`. `link`, `option`
and `strength` are set only where 0.1.0 had other names. Heavy modules are imported where they are used, because the
command line reads this list for its help.
"""

import numpy as np

from pathfinder.retrieval.factors.factor import Pool, RankingFactor
from pathfinder.types import Candidates, CitationProfile, Floats, Preset, Weighting
from pathfinder.types.weighting import EPSILON

RECENCY_SCALE_YEARS = 0.7
RECENCY_MIDPOINT_YEARS = {Preset.BALANCED: 5.0, Preset.PAPER: 0.0}
"""Age t0 in each preset: 0 in `paper`, as in eq. 1 of arXiv:2408.01556; in `balanced`, the 5 years that the text of
that paper mentions.
"""

CITATION_MIDPOINT, CITATION_SCALE = 300.0, 42.0
KEYWORD_FLOOR = 0.1
"""Weight, in the preset `paper`, of a paper with none of the keywords, before the weights are divided by the largest.
"""

POSITION_STEP = 0.1
"""Coefficient of the position p in the formula `1 / (1 + 0.1 p)`."""


def recency_weights(age_years: Floats, midpoint_years: float) -> Floats:
    """Return `1 / (1 + exp((age - t0) / 0.7))`, arXiv:2408.01556 eq. 1; NaN stays NaN."""
    from scipy.special import expit

    return np.asarray(expit((midpoint_years - age_years) / RECENCY_SCALE_YEARS))


def citation_weights(citation_count: Floats) -> Floats:
    """Return `1 / (1 + exp((300 - n) / 42))`, arXiv:2408.01556 eq. 2, unclipped; NaN stays NaN."""
    from scipy.special import expit

    return np.asarray(expit((citation_count - CITATION_MIDPOINT) / CITATION_SCALE))


def _recency(candidates: Candidates, weighting: Weighting) -> Floats:
    midpoint = weighting.recency_midpoint_years
    return recency_weights(
        candidates.age_years, RECENCY_MIDPOINT_YEARS[weighting.preset] if midpoint is None else midpoint
    )


def _citations(candidates: Candidates, weighting: Weighting) -> Floats:
    if weighting.citation_profile is CitationProfile.AGE_FAIR:
        return candidates.citation_percentile
    return citation_weights(candidates.citation_count)


def _title_match(pool: Pool) -> Floats | None:
    from pathfinder.retrieval.lookup.passages import title_matches

    return title_matches(pool.candidates.rows, pool.vector, pool.corpus)


def position(pool: Pool) -> Floats | None:
    """Return `1 / (1 + 0.1 p)` for each paper, where p is the position of its best passage in the abstract, counted
    from 0; NaN without passages.
    """
    if (fit := pool.fit) is None:
        return None
    counts = fit.counts
    firsts = np.cumsum(counts) - counts
    within = np.arange(len(fit.owners)) - np.repeat(firsts, counts)
    places = np.full(fit.n_papers, np.nan)
    places[counts > 0] = within[fit.best_first[firsts[counts > 0]]]
    return 1.0 / (1.0 + POSITION_STEP * places)


def coverage(pool: Pool) -> Floats | None:
    """Return the share, in [0, 1], of the question's content words (as stems) that occur in each paper."""
    if np.isnan(pool.candidates.sparse).all():
        return None
    index = pool.corpus.sparse
    return index.share_of_words(index.content_words(pool.query), pool.candidates.rows)


def diversity(pool: Pool) -> Floats | None:
    """Return the standard deviation of each paper's passage cosines, in [0, 1]; NaN for fewer than two passages."""
    if (fit := pool.fit) is None:
        return None
    n = np.where(fit.counts < 2, np.nan, fit.counts)
    means = np.bincount(fit.owners, fit.cosines, fit.n_papers) / n
    squares = (fit.cosines - means[fit.owners]) ** 2
    return np.sqrt(np.bincount(fit.owners, squares, fit.n_papers) / n)


def _citation_counts(pool: Pool) -> Floats | None:
    """Return the number of papers in the corpus that cite each paper; `None` without a citation network."""
    network = pool.corpus.network
    return None if network is None else network.citation_counts()[pool.candidates.rows].astype(np.float64)


def _citedness(candidates: Candidates, _: Weighting) -> Floats | None:
    """Return the weight w whose term in `balanced`, log(0.05 + w), is `n / max(n)` plus a constant, so that what each
    paper gains is its share of the largest count, as in OpenScholar (arXiv:2411.14199).

    The logarithm of the share itself would put every cited paper above all others.
    """
    counts = candidates.signal("cited")
    if counts is None:
        return None
    shares = counts / max(1.0, float(counts.max(initial=0.0)))
    return np.asarray((1.0 + EPSILON) * np.exp(shares - 1.0) - EPSILON)


OWN_FACTORS = (
    RankingFactor(
        "keyword",
        "keywords",
        "Favours papers that share keywords with the question.",
        "share of the question's keywords that the paper has, weighted by rarity; named entities count triple",
        lambda candidates, _: candidates.keyword,
        strength="keywords",
        link="wk",
        option="--weight-keywords",
        is_main=True,
        floor=KEYWORD_FLOOR,
    ),
    RankingFactor(
        "recency",
        "recency",
        "Favours recent papers; those older than about five years fade.",
        "1 / (1 + exp((age - t0) / 0.7)), with the age and the midpoint t0 in years, arXiv:2408.01556, eq. 1",
        _recency,
        link="wt",
        option="--weight-recency --weight-time",
        is_main=True,
        is_unknown=lambda paper: paper.published is None,
    ),
    RankingFactor(
        "citation",
        "citations",
        "Favours papers that are cited often.",
        "1 / (1 + exp((300 - n) / 42)), where n is the citation count (arXiv:2408.01556, eq. 2), or the percentile of "
        "n within the year",
        _citations,
        strength="citations",
        link="wc",
        option="--weight-citations",
        is_main=True,
        is_unknown=lambda paper: paper.citation_count is None,
    ),
    RankingFactor(
        "title_match",
        "title match",
        "Favours papers whose title is close to the question.",
        "cosine between question and title, clipped at 0",
        measure=_title_match,
        strength="title",
        link="wi",
        option="--weight-title-match --weight-title",
        needs_passages=True,
    ),
    RankingFactor(
        "position",
        "early match",
        "Favours papers whose best passage comes early in the abstract.",
        "1 / (1 + 0.1 p), where p is the position of the best passage, counted from 0",
        measure=position,
        link="wp",
        option="--weight-early-match --weight-position",
        needs_passages=True,
    ),
    RankingFactor(
        "coverage",
        "word coverage",
        "Favours papers that contain more of the question's words.",
        "share of the question's content words, compared as stems, that the paper contains",
        measure=coverage,
        link="wv",
        option="--weight-word-coverage --weight-coverage",
    ),
    RankingFactor(
        "diversity",
        "single-passage match",
        "Favours papers with one standout passage.",
        "standard deviation of the cosines between question and passages",
        measure=diversity,
        link="wd",
        option="--weight-single-passage-match --weight-diversity",
        needs_passages=True,
    ),
    RankingFactor(
        "cited",
        "citations in the corpus",
        "Favours papers that other papers in this corpus cite.",
        "1.05 exp(n / max(n) - 1) - 0.05, where n papers in the corpus cite the paper, and max(n) is the largest n in "
        "the pool, so that the term in the score is n / max(n), as in arXiv:2411.14199",
        _citedness,
        measure=_citation_counts,
        option="--weight-corpus-citations --weight-cited",
        unmeasured_reason="this corpus has no citation network; `pathfinder info` says why",
    ),
    RankingFactor(
        "rerank",
        "reranker",
        "How far a paper is moved by the reranker, which reads the question together with each paper.",
        "relevance according to the reranker: 1 for the best of the 250 papers that it reads, 0 for those that it does "
        "not read",
        lambda candidates, _: None if candidates.rerank is None else np.nan_to_num(candidates.rerank),
        default=1.0,
        link="wr",
        option="--weight-reranker --weight-rerank",
    ),
)
