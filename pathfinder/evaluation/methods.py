"""The ways to rank a corpus that are compared: the product's own search, each of its stages, and a bag of words.

Every method but `default` begins with `hybrid`, fusion alone, and switches one thing on, so that a difference from
`hybrid` is what that thing adds. Names joined by `+` switch on several: `rerank+passages`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from itertools import combinations
from types import MappingProxyType

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from pathfinder.corpus.store import Corpus
from pathfinder.errors import ModelError, ProviderError, UsageError
from pathfinder.evaluation.indexing import Wanted
from pathfinder.index.ports import NO_HITS, best
from pathfinder.retrieval.models import Models
from pathfinder.retrieval.strategies.explore import explore
from pathfinder.retrieval.weighting import final_scores, ranking
from pathfinder.types import (
    LOCAL_RERANKER,
    NO_RERANKER,
    POOL_SIZE,
    Fusion,
    Imagine,
    Preset,
    Rows,
    SearchRequest,
    SearchResult,
    Sides,
    Stage,
)

Change = Callable[[SearchRequest], SearchRequest]

METHODS = ("default", "tfidf", "bm25", "dense", "hybrid")
"""Those that are compared where nobody chose."""

DEPTH_OF_RECURSION = 2
COHERE_MODEL = "cohere:rerank-v3.5"


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """At most 1,000 papers, best first, and what really ran to find them."""

    rows: Rows
    stages: tuple[Stage, ...] = ()


Ranker = Callable[[str], Ranked]


def _weigh(**strengths: float | Preset) -> Change:
    return lambda request: replace(request, weighting=replace(request.weighting, **strengths))  # type: ignore[arg-type]


def _ask(**fields: object) -> Change:
    return lambda request: replace(request, **fields)  # type: ignore[arg-type]


CHANGES: Mapping[str, Change] = MappingProxyType(
    {
        "hybrid": _ask(),
        "bm25": _ask(sides=Sides.SPARSE),
        "dense": _ask(sides=Sides.DENSE),
        "rrf": _ask(fusion=Fusion.RECIPROCAL_RANK),
        "years": _ask(reads_years=True),
        "feedback": _ask(imagine=Imagine.FEEDBACK),
        "hyde": _ask(imagine=Imagine.HYDE),
        "passages": _ask(passages=True),
        "titles": _ask(titles=True),
        "expand": _ask(expands=True),
        "decompose": _ask(decomposes=True),
        "recursive": _ask(depth=DEPTH_OF_RECURSION),
        "rerank": _ask(reranker=LOCAL_RERANKER),
        "cohere": _ask(reranker=COHERE_MODEL),
        "keywords": _weigh(keywords=1.0),
        "recency": _weigh(recency=1.0),
        "citations": _weigh(citations=1.0),
        "title": _weigh(title=1.0),
        "position": _weigh(position=1.0),
        "coverage": _weigh(coverage=1.0),
        "diversity": _weigh(diversity=1.0),
        "paper": _weigh(preset=Preset.PAPER),
    }
)
"""What each method but `default` and `tfidf` switches on."""

KNOWN_METHODS = (*METHODS, *(name for name in CHANGES if name not in METHODS))

NEEDS_CHAT = frozenset({"hyde"})
"""Methods that are another method without a chat model."""

CHATS = NEEDS_CHAT | {"decompose", "recursive"}
"""Methods that ask the chat model where there is one."""


def request_of(method: str, question: str) -> SearchRequest:
    """What `method` asks of the search. `default` leaves everything to it, whatever its defaults become."""
    if method == "default":
        return SearchRequest(question)
    request = SearchRequest(question, reranker=NO_RERANKER, reads_years=False)
    for name in method.split("+"):
        request = CHANGES[name](request)
    return request


def may_cost(method: str, models: Models) -> bool:
    """Whether someone may be billed for `method`."""
    parts = set(method.split("+"))
    return "cohere" in parts or (models.chat is not None and bool(parts & CHATS))


def wanted(methods: Iterable[str]) -> Wanted:
    """What a file of documents must be made into for `methods`."""
    requests = [request_of(method, "?") for method in methods if method != "tfidf"]
    return Wanted(
        pieces=any(map(_reads_pieces, requests)), keywords=any(request.weighting.keywords for request in requests)
    )


def _reads_pieces(request: SearchRequest) -> bool:
    weighting = request.weighting
    is_local = request.reranker == LOCAL_RERANKER
    return (
        request.passages
        or request.titles
        or is_local
        or any((weighting.title, weighting.position, weighting.diversity))
    )


def check_methods(methods: tuple[str, ...], models: Models) -> None:
    """Raise `UsageError` for a method that is none, or that lacks its model, with the way out."""
    if not methods:
        raise UsageError(f"no method is named: choose among {', '.join(KNOWN_METHODS)}")
    for method in methods:
        parts = method.split("+")
        _check_names(method, parts)
        if NEEDS_CHAT & set(parts) and models.chat is None:
            raise UsageError(
                f"{method} needs a chat model, and none is set: set PATHFINDER_CHAT_MODEL, "
                "such as openai:gpt-4o-mini, and the provider's key, or compare feedback, which needs none"
            )
        if "cohere" in parts:
            _check_cohere(method, models)


def _check_cohere(method: str, models: Models) -> None:
    # A search would go on with the local reranker, and its figures would stand under this name.
    if models.load_reranker is None:
        raise UsageError(f"{method} needs a reranker behind an API, and none can be loaded here: compare rerank")
    try:
        models.load_reranker(COHERE_MODEL)
    except (ModelError, ProviderError) as error:
        raise UsageError(f"{method} cannot run: {error}; or compare rerank") from error


def _check_names(method: str, parts: list[str]) -> None:
    for part in parts:
        if part not in KNOWN_METHODS:
            raise UsageError(f"there is no method {part!r}: choose among {', '.join(KNOWN_METHODS)}")
        if len(parts) > 1 and part not in CHANGES:
            raise UsageError(f"{part!r} in {method!r} cannot be joined with another: name it by itself")
    for one, other in combinations(dict.fromkeys(parts), 2):
        if _sets(one) & _sets(other):
            raise UsageError(f"{one!r} and {other!r} in {method!r} exclude each other: name one of them")


def _sets(part: str) -> set[str]:
    """The settings of a search that `part` has otherwise than `hybrid`; no two methods give one the same value."""
    plain, changed = request_of("hybrid", "?"), request_of(part, "?")
    pairs = ((plain, changed), (plain.weighting, changed.weighting))
    return {
        field.name
        for here, there in pairs
        for field in fields(here)
        if field.name != "weighting" and getattr(here, field.name) != getattr(there, field.name)
    }


def make_ranker(method: str, corpus: Corpus, models: Models) -> Ranker:
    """The ranker of a method that `check_methods` let pass, over `corpus`."""
    if method == "tfidf":
        return _tfidf(corpus)

    def rank(question: str) -> Ranked:
        result = explore(request_of(method, question), corpus, models)
        return Ranked(weighted_rows(result), result.stages)

    return rank


def weighted_rows(result: SearchResult) -> Rows:
    """All candidates in the order of their final scores, as the hits are, and further down."""
    final = final_scores(result.candidates, result.request.weighting)
    return result.candidates.rows[ranking(final)]


def _tfidf(corpus: Corpus) -> Ranker:
    """Cosine of TF-IDF vectors: the bag of words that arXiv:2408.01556 compares itself with."""
    vectorizer = TfidfVectorizer(stop_words="english")
    texts = [paper.text for paper in corpus.papers]
    if not any(map(vectorizer.build_analyzer(), texts)):
        return lambda _: Ranked(NO_HITS.rows)
    documents = vectorizer.fit_transform(texts)

    def rank(question: str) -> Ranked:
        cosines = (documents @ vectorizer.transform([question]).T).toarray().ravel()
        rows = np.flatnonzero(cosines > 0)
        return Ranked(best(rows, cosines[rows], POOL_SIZE).rows)

    return rank
