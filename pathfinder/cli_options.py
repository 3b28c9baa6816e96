"""The options that `search` and `ask` share, and the request that they make."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pathfinder.types import (
    DEFAULT_TOP_K,
    CitationProfile,
    Fusion,
    Preset,
    SearchRequest,
    Sides,
    Weighting,
)

Day: TypeAlias = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], metavar="YYYY-MM-DD")]
JsonFlag: TypeAlias = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
EmbedderName: TypeAlias = Annotated[
    str | None,
    typer.Option("--embedder", metavar="VENDOR:MODEL", help="By default the corpus's own, or the local one."),
]
CorpusFolder: TypeAlias = Annotated[
    Path | None, typer.Option("--corpus", metavar="DIR", help="Folder of the corpus; PATHFINDER_CORPUS names another.")
]

_Question: TypeAlias = Annotated[str, typer.Argument(metavar="QUESTION", help="A question, a topic or an abstract.")]
TopK: TypeAlias = Annotated[int, typer.Option("--top-k", help="How many papers, 1 to 30.")]
YearFrom: TypeAlias = Annotated[int | None, typer.Option("--year-from", help="First year; leaves undated papers out.")]
YearTo: TypeAlias = Annotated[int | None, typer.Option("--year-to", help="Last year; leaves undated papers out.")]
_Keywords: TypeAlias = Annotated[
    list[str] | None, typer.Option("--keyword", help="A keyword beside those of the question; may be repeated.")
]
_Dropped: TypeAlias = Annotated[
    list[str] | None, typer.Option("--drop-keyword", help="A keyword of the question to leave out; may be repeated.")
]
_KeywordWeight: TypeAlias = Annotated[float, typer.Option("--weight-keywords", help="0 (off) to 1.")]
_TimeWeight: TypeAlias = Annotated[float, typer.Option("--weight-time", help="Newer papers first: 0 (off) to 1.")]
_CitationWeight: TypeAlias = Annotated[float, typer.Option("--weight-citations", help="0 (off) to 1.")]
_Preset: TypeAlias = Annotated[Preset, typer.Option("--preset", help="How the factors are put together.")]
_Profile: TypeAlias = Annotated[
    CitationProfile, typer.Option("--citation-profile", help="By count, or by percentile within the year.")
]
_Midpoint: TypeAlias = Annotated[
    float | None, typer.Option("--time-midpoint", help="Age of half weight in years; by default the preset's.")
]
_Sides: TypeAlias = Annotated[Sides, typer.Option("--sides", help="Look up meaning, words, or both.")]
_Fusion: TypeAlias = Annotated[Fusion, typer.Option("--fusion", help="How meaning and words become one list.")]
_Expand: TypeAlias = Annotated[
    bool, typer.Option("--expand", help="Look up other names of what the question names, from the corpus's thesaurus.")
]
_ExpansionMap: TypeAlias = Annotated[
    Path | None, typer.Option("--expansion-map", metavar="FILE", help='Your own names: {"term": ["other name"]}.')
]


def searching(run: Callable[[SearchRequest, Path | None, bool], None]) -> Callable[..., None]:
    """A command with the options of a search, that calls `run` with the request, the corpus and the JSON flag."""

    def command(
        question: _Question,
        corpus: CorpusFolder = None,
        top_k: TopK = DEFAULT_TOP_K,
        year_from: YearFrom = None,
        year_to: YearTo = None,
        keyword: _Keywords = None,
        drop_keyword: _Dropped = None,
        weight_keywords: _KeywordWeight = 0.0,
        weight_time: _TimeWeight = 0.0,
        weight_citations: _CitationWeight = 0.0,
        preset: _Preset = Preset.BALANCED,
        citation_profile: _Profile = CitationProfile.SIGMOID,
        time_midpoint: _Midpoint = None,
        sides: _Sides = Sides.BOTH,
        fusion: _Fusion = Fusion.MIN_MAX,
        today: Day = None,
        expand: _Expand = False,
        expansion_map: _ExpansionMap = None,
        as_json: JsonFlag = False,
    ) -> None:
        weighting = Weighting(
            keywords=weight_keywords,
            recency=weight_time,
            citations=weight_citations,
            preset=preset,
            citation_profile=citation_profile,
            recency_midpoint_years=time_midpoint,
        )
        request = SearchRequest(
            question,
            top_k=top_k,
            year_from=year_from,
            year_to=year_to,
            extra_keywords=tuple(keyword or ()),
            dropped_keywords=tuple(drop_keyword or ()),
            weighting=weighting,
            sides=sides,
            fusion=fusion,
            today=today.date() if today else None,
            expands=expand,
            own_expansions=_own_map(expansion_map),
        )
        run(request, corpus, as_json)

    command.__doc__ = run.__doc__
    return command


def _own_map(path: Path | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if path is None:
        return ()
    from pathfinder.retrieval.expansion import load_own_map

    return load_own_map(path)
