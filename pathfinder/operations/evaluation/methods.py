"""Ranking methods to compare: Pathfinder's own search, each of its stages, and a bag of words.

Every method except `default` starts from `hybrid`, which is fusion alone, and switches on a single stage or factor, so
that a difference from `hybrid` is its effect. Names joined by `+` switch on several: `rerank+passages`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from itertools import combinations
from types import MappingProxyType

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from pathfinder.corpus.store import Corpus
from pathfinder.errors import ModelError, ProviderError, UsageError
from pathfinder.index.ports import NO_HITS, best
from pathfinder.operations.evaluation.indexing import IndexParts
from pathfinder.retrieval.factors import OWN_FACTORS
from pathfinder.retrieval.stages import Models
from pathfinder.retrieval.strategies import search_by_strategy
from pathfinder.retrieval.weighting import RERANK, final_scores, ranking
from pathfinder.settings import COHERE_RERANKERS
from pathfinder.types import (
    ALWAYS_LOCAL,
    LOCAL_RERANKER,
    NO_RERANKER,
    POOL_SIZE,
    Fusion,
    Preset,
    QueryExpansion,
    RetrievalMode,
    Rows,
    SearchRequest,
    Stage,
    StageStatus,
)

Change = Callable[[SearchRequest], SearchRequest]

DEFAULT_METHODS = ("default", "tfidf", "bm25", "dense", "hybrid")
"""Methods that are compared by default."""

DEPTH_OF_RECURSION = 2
COHERE_MODEL = COHERE_RERANKERS[0]


@dataclass(frozen=True, slots=True, eq=False)
class MethodRanking:
    """At most 1,000 papers, best first, with the stages that were run to find them."""

    rows: Rows
    stages: tuple[Stage, ...] = ()
    stage_status: tuple[StageStatus, ...] = ()


Ranker = Callable[[str, frozenset[str]], MethodRanking]
"""Function that takes a question and the ids of papers that must not be found, and returns a ranking."""


def favour(strength: str) -> Change:
    """Make the change that switches on the ranking factor whose strength is called `strength`, whether or not
    `Weighting` has a field for it.
    """
    return lambda request: replace(request, weighting=request.weighting.with_strength(strength, 1.0))


def _set(**fields: object) -> Change:
    return lambda request: replace(request, **fields)  # type: ignore[arg-type]


METHOD_CHANGES: Mapping[str, Change] = MappingProxyType(
    {
        "hybrid": _set(),
        "bm25": _set(sides=RetrievalMode.SPARSE),
        "dense": _set(sides=RetrievalMode.DENSE),
        "rrf": _set(fusion=Fusion.RECIPROCAL_RANK),
        "years": _set(reads_years=True),
        "feedback": _set(imagine=QueryExpansion.FEEDBACK),
        "hyde": _set(imagine=QueryExpansion.HYDE),
        "passages": _set(passages=True),
        "titles": _set(titles=True),
        "cited-by-hits": _set(cited_by_hits=True),
        "citing-hits": _set(citing_hits=True),
        "expand": _set(expands=True),
        "other-names": _set(finds_other_names=True),
        "spelling": _set(corrects_spelling=True),
        "decompose": _set(decomposes=True),
        "recursive": _set(depth=DEPTH_OF_RECURSION),
        "rerank": _set(reranker=ALWAYS_LOCAL),
        "cohere": _set(reranker=COHERE_MODEL),
        **{f.setting: favour(f.setting) for f in OWN_FACTORS if f.name != RERANK},
        "paper": lambda request: replace(request, weighting=replace(request.weighting, preset=Preset.PAPER)),
    }
)
"""Settings switched on by each method except `default` and `tfidf`."""

KNOWN_METHODS = (*DEFAULT_METHODS, *(name for name in METHOD_CHANGES if name not in DEFAULT_METHODS))

NEEDS_CHAT = frozenset({"hyde"})
"""Methods that need a chat model to do what their names say."""

CHATS = NEEDS_CHAT | {"decompose", "recursive"}
"""Methods that call the chat model if one is available."""


def request_of(method: str, question: str) -> SearchRequest:
    """Make the search request for `method`. `default` keeps every default of the search, including future ones."""
    if method == "default":
        return SearchRequest(question)
    request = SearchRequest(
        question, reranker=NO_RERANKER, corrects_spelling=False, translates=False, finds_other_names=False
    ).without_reading()
    for name in method.split("+"):
        request = METHOD_CHANGES[name](request)
    return request


def may_be_billed(method: str, models: Models) -> bool:
    """Return whether `method` may cost money."""
    parts = set(method.split("+"))
    return "cohere" in parts or (models.chat is not None and bool(parts & CHATS))


def parts_needed(methods: Iterable[str]) -> IndexParts:
    """Return the parts of the index that `methods` need in addition to whole papers."""
    requests = [request_of(method, "?") for method in methods if method != "tfidf"]
    return IndexParts(
        passages=any(map(_reads_passages, requests)), keywords=any(request.weighting.keywords for request in requests)
    )


def _reads_passages(request: SearchRequest) -> bool:
    weighting = request.weighting
    is_local = request.reranker in (LOCAL_RERANKER, ALWAYS_LOCAL)
    return (
        request.passages
        or request.titles
        or is_local
        or any(f.needs_passages and f.strength_in(weighting) > 0 for f in OWN_FACTORS)
    )


def check_methods(methods: tuple[str, ...], models: Models) -> None:
    """Raise `UsageError` for an unknown method, or for one whose model is missing."""
    if not methods:
        raise UsageError(f"no method was given: choose from {', '.join(KNOWN_METHODS)}")
    for method in methods:
        parts = method.split("+")
        for part in parts:
            if part not in KNOWN_METHODS:
                raise UsageError(f"there is no method {part!r}: choose from {', '.join(KNOWN_METHODS)}")
            if len(parts) > 1 and part not in METHOD_CHANGES:
                raise UsageError(f"{part!r} in {method!r} cannot be combined with other methods: use it on its own")
        for first, second in combinations(dict.fromkeys(parts), 2):
            if _changed_settings(first) & _changed_settings(second):
                raise UsageError(f"{first!r} and {second!r} in {method!r} exclude each other: name one of them")
        if NEEDS_CHAT & set(parts) and models.chat is None:
            raise UsageError(
                f"{method} needs a chat model, and none is set: set PATHFINDER_CHAT_MODEL, "
                "for example to openai:gpt-4o-mini, and the provider's key, or compare the method feedback, which does "
                "not need one"
            )
        if "cohere" in parts:
            # Otherwise, the search would use the local reranker, and its scores would be reported under this name.
            if models.load_reranker is None:
                raise UsageError(
                    f"{method} needs a reranker behind an API, and none can be loaded here: "
                    "compare the method rerank instead"
                )
            try:
                models.load_reranker(COHERE_MODEL)
            except (ModelError, ProviderError) as error:
                raise UsageError(f"{method} cannot run: {error}; or compare the method rerank instead") from error


def _changed_settings(part: str) -> set[str]:
    """Return the names of the search settings in which the method `part` differs from `hybrid`. No two methods change a
    setting to the same value.
    """
    plain, method_request = request_of("hybrid", "?"), request_of(part, "?")
    pairs = ((plain, method_request), (plain.weighting, method_request.weighting))
    return {
        field.name
        for here, there in pairs
        for field in fields(here)
        if field.name != "weighting" and getattr(here, field.name) != getattr(there, field.name)
    }


def make_ranker(method: str, corpus: Corpus, models: Models) -> Ranker:
    """Make the ranker that applies `method` to `corpus`; `check_methods` must have accepted the method."""
    if method == "tfidf":
        return _tfidf(corpus)

    def rank(question: str, left_out: frozenset[str]) -> MethodRanking:
        request = replace(request_of(method, question), excluded_ids=left_out)
        result = search_by_strategy(request, corpus, models.for_search())
        # All candidates by their final scores: first the hits, then the candidates below them.
        final = final_scores(result.candidates, result.request.weighting)
        return MethodRanking(result.candidates.rows[ranking(final)], result.stages, result.stage_status)

    return rank


def _tfidf(corpus: Corpus) -> Ranker:
    """Rank by the cosine similarity of TF-IDF vectors: the bag of words used as a baseline in arXiv:2408.01556."""
    vectorizer = TfidfVectorizer(stop_words="english")
    texts = [paper.text for paper in corpus.papers]
    if not any(map(vectorizer.build_analyzer(), texts)):
        return lambda _, __: MethodRanking(NO_HITS.rows)
    documents = vectorizer.fit_transform(texts)

    def rank(question: str, left_out: frozenset[str]) -> MethodRanking:
        cosines = (documents @ vectorizer.transform([question]).T).toarray().ravel()
        if left_out:
            cosines[corpus.papers.with_ids(left_out)] = 0
        rows = np.flatnonzero(cosines > 0)
        return MethodRanking(best(rows, cosines[rows], POOL_SIZE).rows)

    return rank
