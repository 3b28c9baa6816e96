"""Weights that agree better with readers' preferences, suggested only if they do so on searches left out of the fit.

For a pair of papers with factors w and v, and match s and t, the fit minimises the mean over searches of

    log(1 + exp(-d)),   d = log((0.05 + s) / (0.05 + t)) + sum_j a_j log((0.05 + w_j) / (0.05 + v_j))

over strengths a_j in [0, 1], plus `PENALTY` times the squared distance from the current strengths: logistic regression
on pairs (Burges et al. 2005, RankNet), with the score of the preset `balanced`. It is convex, so the fit has a single
result.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from pathfinder.addons.feedback.judgements import Judgement, ListedPaper, Remark, Target, Thumb
from pathfinder.evaluation.metrics import Interval, interval_of_mean
from pathfinder.retrieval.factors import FACTORS, MATCH
from pathfinder.types import Floats, Preset, Weighting
from pathfinder.types.weighting import EPSILON

PENALTY = 0.1
LEAST_SEARCHES = 10
"""Minimum number of searches with preferences; with fewer, nothing is suggested."""
N_FOLDS = 5
_NEGLIGIBLE = 0.02
"""Strengths below this are taken as 0."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Weights learned from judgements, and how far they can be trusted."""

    weighting: Weighting
    """The weights learned from all judgements."""
    n_judgements: int
    n_searches: int
    """Number of searches with at least one pair."""
    n_pairs: int
    agreement_before: float | None
    """Share of pairs that the current weights order as readers do, averaged over searches; `None` without a pair."""
    agreement_after: float | None
    """The same share for weights learned from other searches; `None` if there are too few searches."""
    gain: Interval | None
    """Interval of `agreement_after` minus `agreement_before`, from resampled searches; `None` if there are too few."""

    @property
    def is_supported(self) -> bool:
        """True if the learned weights agree better with readers on searches that they were not learned from."""
        return self.gain is not None and self.gain.low > 0

    @property
    def reason(self) -> str:
        """Reason why the weights are suggested, or are not."""
        counts = f"{self.n_judgements} judgements, {self.n_searches} searches, {self.n_pairs} pairs of papers"
        if self.gain is None or self.agreement_before is None or self.agreement_after is None:
            return f"{counts}: weights are learned from {LEAST_SEARCHES} or more searches"
        change = f"{self.agreement_before:.0%} to {self.agreement_after:.0%}"
        interval = f"95% interval of the gain {self.gain.low:+.0%} to {self.gain.high:+.0%}"
        verdict = "" if self.is_supported else "; not suggested, because the gain may be chance"
        return f"{counts}: pairs in the readers' order on searches left out of the fit {change}, {interval}{verdict}"


def suggest(judgements: Sequence[Judgement], weighting: Weighting) -> Suggestion:
    """Learn weights from `judgements`, beginning with the current `weighting`; nothing is applied.

    The weights are those of the preset `balanced`. The gain is measured by cross-validation over whole searches; the
    searches for one question count as one, so that nothing is learned from the question being tested.
    """
    question_of = same_question(judgements)
    pairs = [replace(pair, search_id=question_of[pair.search_id]) for pair in preferences(judgements)]
    searches = list(dict.fromkeys(pair.search_id for pair in pairs))
    factor_names = {name for pair in pairs for name in pair.preferred_factors}
    names = [factor.setting for factor in FACTORS.all() if factor.setting in factor_names]
    current = np.array([weighting.strengths.get(name, 0.0) for name in names])
    design = _Design.of(pairs, searches, names)
    strengths = _fit(design, current)
    before = _agreement(design, current)
    suggestion = Suggestion(
        _with_strengths(weighting, names, strengths),
        len(judgements),
        len(searches),
        len(pairs),
        float(before.mean()) if len(before) else None,
        None,
        None,
    )
    if len(searches) < LEAST_SEARCHES:
        return suggestion
    after = _left_out_agreement(design, current)
    return replace(suggestion, agreement_after=float(after.mean()), gain=interval_of_mean(after - before))


@dataclass(frozen=True, slots=True)
class Preference:
    """Two papers on one list, the first of which a reader prefers."""

    search_id: str
    preferred_factors: Mapping[str, float]
    """Weights of the preferred paper's factors, in [0, 1]."""
    other_factors: Mapping[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class _Design:
    """Differences between the two papers of each pair."""

    match: Floats
    """Differences in the logarithm of the match, shape (n,)."""
    factors: Floats
    """Differences in the logarithms of the factors, shape (n, number of factors)."""
    search: np.ndarray[tuple[int], np.dtype[np.int64]]
    """Position of the search from which each pair comes."""
    n_searches: int

    @classmethod
    def of(cls, pairs: Sequence[Preference], searches: Sequence[str], names: Sequence[str]) -> "_Design":
        place = {search_id: i for i, search_id in enumerate(searches)}
        return cls(
            np.array([_difference(pair, MATCH) for pair in pairs]),
            np.array([[_difference(pair, name) for name in names] for pair in pairs]).reshape(len(pairs), len(names)),
            np.array([place[pair.search_id] for pair in pairs], dtype=np.int64),
            len(searches),
        )

    def margins(self, strengths: Floats) -> Floats:
        """Return the difference between the scores of each pair, positive if the preferred paper has the
        higher score.
        """
        margins: Floats = self.match + self.factors @ strengths
        return margins

    def only(self, searches: np.ndarray[tuple[int], np.dtype[np.int64]]) -> "_Design":
        """Return the pairs from the given searches."""
        is_chosen = np.isin(self.search, searches)
        return _Design(self.match[is_chosen], self.factors[is_chosen], self.search[is_chosen], self.n_searches)

    def shares(self) -> Floats:
        """Return the weight of each pair, so that every search counts the same, however many pairs it has."""
        counts = np.bincount(self.search, minlength=self.n_searches)
        return np.asarray(1.0 / counts[self.search] / max(1, int((counts > 0).sum())))


def _difference(pair: Preference, name: str) -> float:
    """Return the difference between the two papers in the logarithm of the factor `name`; 0 if it was not measured for
    this search.
    """
    if name not in pair.preferred_factors or name not in pair.other_factors:
        return 0.0
    return float(np.log(EPSILON + pair.preferred_factors[name]) - np.log(EPSILON + pair.other_factors[name]))


def _fit(design: _Design, current: Floats) -> Floats:
    from scipy.optimize import minimize
    from scipy.special import expit

    shares = design.shares()

    def loss(strengths: Floats) -> tuple[float, Floats]:
        margins, shift = design.margins(strengths), strengths - current
        value = float(shares @ np.logaddexp(0.0, -margins) + PENALTY * shift @ shift)
        return value, -(design.factors.T @ (shares * expit(-margins))) + 2 * PENALTY * shift

    if not len(current):
        return current
    fit = minimize(loss, current, jac=True, method="L-BFGS-B", bounds=[(0.0, 1.0)] * len(current))
    strengths: Floats = np.where(fit.x < _NEGLIGIBLE, 0.0, fit.x)
    return strengths


def _agreement(design: _Design, strengths: Floats) -> Floats:
    """Return, for each search, the share of pairs in the readers' order; a tie counts half."""
    margins = design.margins(strengths)
    right = (margins > 0) + 0.5 * (margins == 0)
    counts = np.bincount(design.search, minlength=design.n_searches)
    return np.asarray(np.bincount(design.search, right, design.n_searches) / np.maximum(counts, 1))


def _left_out_agreement(design: _Design, current: Floats) -> Floats:
    """Return, for each search, the agreement with readers of weights learned from the other folds."""
    after = np.zeros(design.n_searches)
    for fold in range(N_FOLDS):
        left_out = np.arange(fold, design.n_searches, N_FOLDS)
        others = np.setdiff1d(np.arange(design.n_searches), left_out)
        after[left_out] = _agreement(design, _fit(design.only(others), current))[left_out]
    return after


def _with_strengths(weighting: Weighting, names: Sequence[str], strengths: Floats) -> Weighting:
    for name, strength in zip(names, strengths.tolist(), strict=True):
        weighting = weighting.with_strength(name, round(strength, 2))
    return replace(weighting, preset=Preset.BALANCED)


# Pairs of papers, the first of which readers prefer, derived from their judgements.
#
# A paper with a thumbs-up, or one that "should be higher", is preferred to every paper on its list that has neither;
# a paper without a judgement is preferred to one with a thumbs-down. Papers above and below the judged paper are
# treated alike. Pairs formed only with the papers above ("click > skip above", Joachims 2002,
# doi:10.1145/775047.775067) always contradict the present order, so that even random judgements would seem to call
# for other weights.

SAME_LIST = 0.5
"""Share of papers in common above which two lists count as results for the same question."""


def preferences(judgements: Iterable[Judgement]) -> tuple[Preference, ...]:
    """Derive the pairs from all judgements of papers; the two papers of a pair come from the list of one search."""
    by_search: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        if judgement.target is Target.PAPER:
            by_search[judgement.search_id].append(judgement)
    return tuple(pair for search_id, own_judgements in by_search.items() for pair in _pairs(search_id, own_judgements))


def same_question(judgements: Iterable[Judgement]) -> dict[str, str]:
    """Map each search to the first one with the same question, judging by their lists.

    A question is not stored, so two searches are taken to ask the same question if they share more than `SAME_LIST` of
    the papers on the shorter list, or if each is taken to ask the same question as a third search.
    """
    lists = {judgement.search_id: {paper.paper_id for paper in judgement.listed} for judgement in judgements}
    first: dict[str, str] = {}
    for search_id, papers in lists.items():
        alike = {first[other] for other in first if _are_alike(papers, lists[other])}
        earliest = next((earlier for earlier in first if earlier in alike), search_id)
        first |= {other: earliest for other, earlier in first.items() if earlier in alike}
        first[search_id] = earliest
    return first


def _are_alike(papers: Set[str], others: Set[str]) -> bool:
    return len(papers & others) > SAME_LIST * min(len(papers), len(others))


def _pairs(search_id: str, own_judgements: Sequence[Judgement]) -> Iterator[Preference]:
    shown_papers = own_judgements[-1].listed
    latest = {
        judgement.paper_id: (judgement.thumb is Thumb.UP or judgement.remark is Remark.SHOULD_BE_HIGHER)
        for judgement in own_judgements
    }
    liked_ids = {paper_id for paper_id, is_liked in latest.items() if is_liked}
    disliked_ids = set(latest) - liked_ids
    for paper in shown_papers:
        if paper.paper_id in liked_ids:
            yield from (
                _preference(search_id, paper, other) for other in shown_papers if other.paper_id not in liked_ids
            )
        elif paper.paper_id in disliked_ids:
            yield from (_preference(search_id, other, paper) for other in shown_papers if other.paper_id not in latest)


def _preference(search_id: str, preferred_paper: ListedPaper, other: ListedPaper) -> Preference:
    return Preference(search_id, dict(preferred_paper.factors), dict(other.factors))


# Counts of judgements, and the correlation of thumbs with the scores of the judged papers.
#
# The paper on Pathfinder reports a Spearman's rho of +0.33 between thumbs up and the retrieval score
# (arXiv:2408.01556).

FEWEST = 10
"""Minimum number of judged papers; with fewer, no correlation is given."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rank correlation of thumbs (up 1, down 0) with scores."""

    rho: float
    """In [-1, 1]; positive if liked papers have higher scores."""
    p: float
    """Probability of a correlation at least as strong if thumbs and scores were unrelated."""
    n: int
    """Number of judged papers."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Statistics of all judgements."""

    thumbs: dict[str, int]
    """Number of judgements of each kind and thumb, such as "paper up"."""
    remarks: dict[str, int]
    """Number of judgements with each reason."""
    correlation: Correlation | None
    """`None` if fewer than ten papers were judged, or if they all have the same thumb or the same score."""


def summarise(judgements: Sequence[Judgement]) -> Summary:
    """Count the judgements, and correlate the thumbs for papers with their scores."""
    thumbs = Counter(f"{judgement.target} {judgement.thumb}" for judgement in judgements)
    remarks = Counter(judgement.remark.value for judgement in judgements if judgement.remark is not None)
    return Summary(dict(sorted(thumbs.items())), dict(sorted(remarks.items())), _correlation(judgements))


def _correlation(judgements: Sequence[Judgement]) -> Correlation | None:
    paper_judgements = [judgement for judgement in judgements if judgement.target is Target.PAPER]
    scores = [_score(judgement) for judgement in paper_judgements]
    thumbs = [judgement.thumb is Thumb.UP for judgement in paper_judgements]
    if len(paper_judgements) < FEWEST or len(set(thumbs)) == 1 or len(set(scores)) == 1:
        return None
    from scipy.stats import spearmanr

    rho, p = spearmanr(scores, thumbs)
    return Correlation(float(rho), float(p), len(paper_judgements))


def _score(judgement: Judgement) -> float:
    """Return the logarithm of the judged paper's score under the preset `balanced`, with the strengths used for its
    list.
    """
    (factors,) = (dict(paper.factors) for paper in judgement.listed if paper.paper_id == judgement.paper_id)
    score = np.log(EPSILON + factors[MATCH])
    for name, strength in judgement.strengths:
        if name in factors:
            score += strength * np.log(EPSILON + factors[name])
    return float(score)
