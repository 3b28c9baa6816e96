"""The options that `search` and `ask` share, and the request that they make."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from pathfinder.types import CitationProfile, Fusion, Imagine, Preset, Region, SearchRequest, Sides, Weighting

Day: TypeAlias = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], metavar="YYYY-MM-DD")]
JsonFlag: TypeAlias = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
EmbedderName: TypeAlias = Annotated[
    str | None,
    typer.Option("--embedder", metavar="VENDOR:MODEL", help="By default the corpus's own, or the local one."),
]
CorpusFolder: TypeAlias = Annotated[
    Path | None, typer.Option("--corpus", metavar="DIR", help="Folder of the corpus; PATHFINDER_CORPUS names another.")
]
TopK: TypeAlias = Annotated[int, typer.Option("--top-k", help="How many papers, 1 to 30.")]
YearFrom: TypeAlias = Annotated[int | None, typer.Option("--year-from", help="First year; leaves undated papers out.")]
YearTo: TypeAlias = Annotated[int | None, typer.Option("--year-to", help="Last year; leaves undated papers out.")]


RegionText: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--region", metavar="X,Y;X,Y;...", help="Only papers in this part of the map: its corners, or two of a box."
    ),
]


def _strength(option: str, help_line: str) -> Any:
    return Annotated[float, typer.Option(option, help=help_line)]


REQUEST_OPTIONS: dict[str, Any] = {
    "top_k": TopK,
    "year_from": YearFrom,
    "year_to": YearTo,
    "reads_years": Annotated[
        bool, typer.Option("--read-years/--ignore-years", help="Whether years named in the question are a filter.")
    ],
    "extra_keywords": Annotated[
        list[str] | None, typer.Option("--keyword", help="A keyword beside those of the question; may be repeated.")
    ],
    "dropped_keywords": Annotated[
        list[str] | None,
        typer.Option("--drop-keyword", help="A keyword of the question to leave out; may be repeated."),
    ],
    "imagine": Annotated[Imagine, typer.Option("--imagine", help="What is looked for beside the question itself.")],
    "n_hypothetical": Annotated[
        int, typer.Option("--hypothetical", metavar="N", help="How many abstracts are imagined, 1 to 5.")
    ],
    "expands": Annotated[
        bool,
        typer.Option("--expand", help="Look up other names of what the question names, from the corpus's thesaurus."),
    ],
    "own_expansions": Annotated[
        Path | None, typer.Option("--expansion-map", metavar="FILE", help='Your own names: {"term": ["other name"]}.')
    ],
    "decomposes": Annotated[bool, typer.Option("--decompose", help="Search a question of several parts part by part.")],
    "depth": Annotated[int, typer.Option("--depth", help="Rounds of refined questions, 0 to 3.")],
    "page_size": Annotated[int, typer.Option("--page-size", help="How many hits of a round are read for the next.")],
    "sides": Annotated[Sides, typer.Option("--sides", help="Look up meaning, words, or both.")],
    "fusion": Annotated[Fusion, typer.Option("--fusion", help="How meaning and words become one list.")],
    "passages": Annotated[bool, typer.Option("--passages", help="Look up passages beside whole papers.")],
    "titles": Annotated[bool, typer.Option("--titles", help="Look up titles beside texts.")],
    "reranker": Annotated[
        str, typer.Option("--reranker", metavar="NAME", help="off, local, or such as cohere:rerank-v3.5.")
    ],
    "region": RegionText,
    "today": Annotated[
        datetime | None,
        typer.Option("--today", formats=["%Y-%m-%d"], metavar="YYYY-MM-DD", help="The day that ages are counted to."),
    ],
}
"""What a reader sets of a request, by the field's name."""

WEIGHTING_OPTIONS: dict[str, Any] = {
    "keywords": _strength("--weight-keywords", "Papers with the question's keywords first: 0 (off) to 1."),
    "recency": _strength("--weight-time", "Newer papers first: 0 (off) to 1."),
    "citations": _strength("--weight-citations", "Papers that are cited often first: 0 (off) to 1."),
    "title": _strength("--weight-title", "Papers whose title is like the question first: 0 (off) to 1."),
    "position": _strength("--weight-position", "Papers that come to the point early first: 0 (off) to 1."),
    "coverage": _strength("--weight-coverage", "Papers with more of the question's words first: 0 (off) to 1."),
    "diversity": _strength("--weight-diversity", "Papers of which one part fits much better first: 0 (off) to 1."),
    "rerank": _strength("--weight-rerank", "The reranker's say: 0 (off) to 1."),
    "preset": Annotated[Preset, typer.Option("--preset", help="How the factors are put together.")],
    "citation_profile": Annotated[
        CitationProfile, typer.Option("--citation-profile", help="By count, or by percentile within the year.")
    ],
    "recency_midpoint_years": Annotated[
        float | None, typer.Option("--time-midpoint", help="Age of half weight in years; by default the preset's.")
    ],
}
"""What a reader sets of a weighting, by the field's name."""


def searching(run: Callable[..., None], more: Mapping[str, tuple[Any, Any]] | None = None) -> Callable[..., None]:
    """A command with the options of a search, that calls `run` with the request, the corpus and the JSON flag.

    `more` are options of the command's own, annotation and default by name, which `run` is given by name too.
    """
    more = more or {}

    def command(question: str, corpus: Path | None, as_json: bool, **options: Any) -> None:
        own = {name: options.pop(name) for name in more}
        run(request_of(question, options), corpus, as_json, **own)

    # Typer reads a command's options off its signature, which is put together from the tables above.
    parameters = [*_parameters(), *(_own(name, *option) for name, option in more.items())]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    command.__doc__ = run.__doc__
    return command


def request_of(question: str, options: dict[str, Any]) -> SearchRequest:
    """The request that the options of a command line make."""
    weighting = Weighting(**{name: options[name] for name in WEIGHTING_OPTIONS})
    chosen = {name: options[name] for name in REQUEST_OPTIONS}
    for name in ("extra_keywords", "dropped_keywords"):
        chosen[name] = tuple(chosen[name] or ())
    chosen["own_expansions"] = _own_map(chosen["own_expansions"])
    chosen["region"] = region_of(chosen["region"])
    chosen["today"] = chosen["today"] and chosen["today"].date()
    return SearchRequest(question, weighting=weighting, **chosen)


def region_of(text: str | None) -> Region | None:
    """The region that `--region` names. Raises `UsageError` for what names none."""
    return None if text is None else Region.read(text)


def _own_map(path: Path | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if path is None:
        return ()
    from pathfinder.retrieval.widening.own_map import load_own_map

    return load_own_map(path)


def _parameters() -> list[inspect.Parameter]:
    defaults = _defaults(SearchRequest) | _defaults(Weighting)
    question = Annotated[str, typer.Argument(metavar="QUESTION", help="A question, a topic or an abstract.")]
    table: dict[str, Any] = {"question": question, "corpus": CorpusFolder, **REQUEST_OPTIONS, **WEIGHTING_OPTIONS}
    kind = inspect.Parameter.KEYWORD_ONLY
    return [
        *(_parameter(name, annotation, defaults) for name, annotation in table.items()),
        inspect.Parameter("as_json", kind, default=False, annotation=JsonFlag),
    ]


def _own(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _parameter(name: str, annotation: Any, defaults: dict[str, Any]) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    if name == "question":
        return inspect.Parameter(name, kind, annotation=annotation)
    default = defaults.get(name)
    return inspect.Parameter(name, kind, default=None if default == () else default, annotation=annotation)


def _defaults(kind: type) -> dict[str, Any]:
    return {field.name: field.default for field in fields(kind)}
