"""The papers that bear on a question, best first, or reordered; and how hits are written, wherever they come from."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator

from pathfinder.corpus.links import may_be_passed_on
from pathfinder.operations.export.plain_json import JsonObject, as_json, paper_record, same_names, select
from pathfinder.operations.operation import LinkTo, Operation, Options, Result, result_of
from pathfinder.retrieval.factors import FACTORS
from pathfinder.text.latex.display import readable
from pathfinder.types import FullTextPassage, Hit, Paper, SearchRequest, SearchResult, Stage, StageStatus, Weighting
from pathfinder.types.weighting import feature_of

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

_FILTERS = (
    "year_from year_to authors categories venues sources refereed needs_abstract excluded_words within as_of".split()
)
_BAR_CHARACTERS = 20
"""Length of a full score bar, in characters."""
SNIPPET = 300
"""Maximum number of characters quoted from an abstract in the JSON for a model."""


FoundPassage = result_of(FullTextPassage, sentence=str)
FoundPaper = result_of(
    Hit,
    "row passages found_by place absent_words",
    rank=int,
    score=dict[str, float | None],
    has_abstract=bool,
    is_summary=bool,
    full_text=[FoundPassage],
    found_by_keywords=list[str],
)


class FoundPapers(Result):
    """What a search has found."""

    query: str
    searched: str
    """The words that were searched."""
    filters: dict[str, Any]
    """The filters as applied, including those read from the question."""
    corpus: str
    stages: dict[str, str]
    """What ran in each stage."""
    stage_status: list[result_of(StageStatus)]  # type: ignore[valid-type]  # derived
    seconds: dict[str, float]
    """Per stage, and "total"."""
    hits: list[FoundPaper]  # type: ignore[valid-type]  # derived
    """Best first: "rank" counts from 1, "score" has the factors of a score by name, with "final", by which the papers
    are ordered, and "found_by_keywords" the keywords with a word of the question that title and abstract lack.
    """


def search_record(result: SearchResult, stages: Sequence[Stage] = (), status: Sequence[StageStatus] = ()) -> JsonObject:
    """Write a result as `FoundPapers`; `stages` and `status` are those of what followed the search."""
    stages = (*result.stages, *stages)
    seconds = {stage.name: stage.seconds for stage in stages if stage.seconds is not None}
    return {
        "query": result.request.query,
        "searched": result.words,
        "filters": {name: as_json(getattr(result.request, name)) for name in _FILTERS},
        "corpus": result.corpus.name,
        "stages": {stage.name: stage.ran for stage in stages},
        "stage_status": [as_json(entry) for entry in (*result.stage_status, *status)],
        "seconds": {**seconds, "total": sum(seconds.values())},
        "hits": [_hit(rank, hit, result) for rank, hit in enumerate(result.hits, start=1)],
    }


def _hit(rank: int, hit: Hit, result: SearchResult) -> JsonObject:
    from pathfinder.retrieval.best_passages import pinpointed_sentence
    from pathfinder.retrieval.lookup.indexes import found_by_keywords

    factors = (*FACTORS.names(), *(name for name, _ in hit.score.extra if feature_of(name)))
    return {
        "rank": rank,
        **paper_record(hit.paper),
        "has_abstract": hit.paper.has_abstract,
        **select(hit, same_names("outlier known_as live")),
        "score": {
            **select(hit.score, same_names("dense sparse fused")),
            **{name: hit.score.weight(name) for name in factors},
            "final": hit.score.final,
        },
        "full_text": [
            {"sentence": pinpointed_sentence(result.question, passage), **as_json(passage)} for passage in hit.full_text
        ],
        "found_by_keywords": list(found_by_keywords(result, hit.paper)),
    }


FOUND: Any = Annotated[FoundPapers, BeforeValidator(search_record)]
"""What programs get of a `SearchResult`."""


def result_lines(result: SearchResult) -> Iterator[str]:
    """Format each paper with its rank, its score as a bar, the weight, from 0 to 1, of each part of the score, and its
    passages; then the stages that ran.
    """
    from pathfinder.retrieval.best_passages import pinpointed_sentence
    from pathfinder.retrieval.explanation.waterfall import bar_parts, describe_parts

    if not result.hits:
        yield "no papers were found"
    weighting = result.request.weighting
    for rank, hit in enumerate(result.hits, start=1):
        marks = f"{'' if hit.paper.has_abstract else '  [no abstract]'}{'  [outlier]' if hit.outlier else ''}"
        marks += f"  [live: {hit.live}]" if hit.live else ""
        yield f"{rank:2}. {title_and_year(hit.paper)}{marks}"
        n_full = round(_BAR_CHARACTERS * sum(part.length for part in bar_parts(hit.score, weighting)))
        bar = f"[{'#' * n_full}{'.' * (_BAR_CHARACTERS - n_full)}]"
        yield f"    {bar} {describe_parts(hit.score, weighting)}  {hit.paper.paper_id}"
        for passage in hit.full_text:
            sentence = pinpointed_sentence(result.request.query, passage)
            yield f'    full text, {passage.address}: "{sentence}"'
    yield ""
    yield "; ".join(f"{stage.label}: {stage.ran}" for stage in result.stages)


def title_and_year(paper: Paper) -> str:
    """Return the title of a paper, with its year, if it is known, and a warning if it was withdrawn or retracted."""
    year = f" ({paper.known_year})" if paper.known_year else ""
    return f"{paper.title}{year}{f' [{paper.warning}]' if paper.warning else ''}"


def search_advice(result: SearchResult) -> tuple[str, ...]:
    """Return one sentence for each weight that cannot have its intended effect in this search."""
    from pathfinder.retrieval.advice import weighting_advice

    return weighting_advice(result.candidates, result.request.weighting)


def beginning_of(paper: Paper) -> str:
    """Return the beginning of an abstract as a quotation: at most half of one without a stated licence."""
    text = readable(paper.abstract)
    most = len(text) if may_be_passed_on(paper) else len(text) // 2
    return shorten(text, max(1, min(SNIPPET, most)), placeholder=" …")


def brief_hits(result: SearchResult, _: JsonObject, linked: LinkTo) -> JsonObject:
    """Keep the papers, each with the beginning of its abstract."""
    hits = [
        {"rank": rank, **linked(hit.paper), "abstract": beginning_of(hit.paper)}
        for rank, hit in enumerate(result.hits, start=1)
    ]
    return {"query": result.request.query, "hits": hits, "notes": list(result.notes)}


OPERATION: Operation[Options, SearchResult] = Operation(
    name="search",
    address="search",
    help="Find the papers that bear on a question, best first.",
    options=Options,
    run=lambda _pf, found, _options: found,
    result=FOUND,
    lines=result_lines,
    notes=lambda result: (*result.notes, *search_advice(result)),
    tool="search_papers",
    arguments={"top_k": 5},
    brief=brief_hits,
)


def _reweigh(pf: "Pathfinder", request: SearchRequest, _: Options) -> SearchResult:
    return pf.reweigh(pf.search(replace(request, weighting=Weighting())), request.weighting)


REWEIGH: Operation[Options, SearchResult] = Operation(
    name="reweigh",
    address="reweigh",
    help="Order the papers of a search by other weights: the candidates are those of the same search without these "
    "weights, which is not repeated if it was run before.",
    is_command=False,  # `search` with weights prints the same
    options=Options,
    searches=False,
    run=_reweigh,
    result=FOUND,
    lines=result_lines,
)
