"""MCP tools that report on many papers at once: comparison table, tensions, network and timeline."""

from itertools import groupby
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from pathfinder.export.plain_json import JsonObject
from pathfinder.serving import fields, overviews
from pathfinder.serving.mcp_arguments import READ_ONLY, Full, Query, Settings
from pathfinder.serving.mcp_server import ToolServer
from pathfinder.serving.mcp_small import with_link

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder

MOST_TENSIONS = 5
MOST_BETWEEN = 5
MOST_OF_A_CLUSTER = 3
MOST_VALUES = 20

_SIDE = ("paper_id", "title", "year", "quotation")
_PAPER = ("paper_id", "title", "year")
_VALUE = ("paper_id", "quantity", "value", "plus", "minus", "unit", "limit", "of")

Columns = Annotated[
    list[str] | None,
    Field(description="What to compare, such as 'value of the mass'; by default sample, method, result, limitation."),
]


def add_overviews(server: ToolServer, pf: "Pathfinder") -> None:
    """Add the tools to a server."""
    _add_comparisons(server, pf)
    _add_drawings(server, pf)


def _add_comparisons(server: ToolServer, pf: "Pathfinder") -> None:
    @server.tool(annotations=READ_ONLY)
    def compare_papers(
        papers: Annotated[list[str], Field(description="Ids of papers, as a search returns them.", max_length=30)],
        columns: Columns = None,
        full: Full = False,
    ) -> JsonObject:
        """Compare papers column by column; with `full`, each cell comes with the sentence that bears it out."""
        record = overviews.table(pf, fields.table_body()(papers=papers, columns=columns))
        return record if full else _small_table(pf, record)

    @server.tool(annotations=READ_ONLY)
    def tensions(
        query: Query,
        papers: Annotated[int, Field(description="Number of best matches to compare, 2 to 100.")] = 30,
        settings: Settings = None,
        full: Full = False,
    ) -> JsonObject:
        """Find pairs of papers that do not agree on a value or a statement. Settings are those of search_papers."""
        arguments = {"query": query, "papers": papers, **(settings or {})}
        record = overviews.tensions(pf, fields.tensions_body().model_validate(arguments))
        return record if full else _small_tensions(pf, record)


def _add_drawings(server: ToolServer, pf: "Pathfinder") -> None:
    @server.tool(annotations=READ_ONLY)
    def paper_network(
        query: Query,
        papers: Annotated[int, Field(description="Number of papers, hits and neighbours together: 2 to 500.")] = 60,
        by: Annotated[fields.TieName | None, Field(description=fields.BY)] = None,
        settings: Settings = None,
        full: Full = False,
    ) -> JsonObject:
        """Cluster the papers on a question by citations or likeness, and return those that link the clusters, and the
        main path of citations. Settings are those of search_papers.
        """
        arguments = {"query": query, "papers": papers, "by": by, **(settings or {})}
        record = overviews.network(pf, fields.network_body().model_validate(arguments))
        return record if full else _small_network(pf, record)

    @server.tool(annotations=READ_ONLY)
    def timeline(
        query: Query,
        papers: Annotated[int, Field(description="Number of best matches, 2 to 500.")] = 100,
        settings: Settings = None,
        full: Full = False,
    ) -> JsonObject:
        """Count papers on a question by year, and list values by year and first mentions of terms. Settings are those
        of search_papers.
        """
        arguments = {"query": query, "papers": papers, **(settings or {})}
        record = overviews.timeline(pf, fields.timeline_body().model_validate(arguments))
        return record if full else _small_timeline(pf, record)


def _small_table(pf: "Pathfinder", record: JsonObject) -> JsonObject:
    """Keep the text of each cell, and the reason to doubt it, if any."""
    rows = [
        {
            **with_link(pf, _only(row, _PAPER)),
            "cells": {
                name: _only(cell, ("text", "doubt") if cell["doubt"] else ("text",))
                for name, cell in zip(record["columns"], row["cells"], strict=True)
                if cell is not None
            },
        }
        for row in record["rows"]
    ]
    return {"model": record["model"], "rows": rows, "notes": record["notes"]}


def _small_tensions(pf: "Pathfinder", record: JsonObject) -> JsonObject:
    """Keep the first tensions, each with its reason and both sentences."""
    first = [
        {
            **_only(tension, ("kind", "subject", "reason")),
            "sides": [with_link(pf, _only(side, _SIDE)) for side in tension["sides"]],
            "n_later": len(tension["later"]),
        }
        for tension in record["tensions"][:MOST_TENSIONS]
    ]
    counts = _only(record, ("question", "n_papers", "n_values", "n_too_far"))
    return {**counts, "n_tensions": len(record["tensions"]), "tensions": first, "notes": record["notes"]}


def _small_network(pf: "Pathfinder", record: JsonObject) -> JsonObject:
    """Keep the papers that connect the others, the main path, and the first papers of each cluster."""
    papers = record["papers"]
    between = sorted((paper for paper in papers if paper["betweenness"]), key=lambda paper: -paper["betweenness"])
    by_cluster = groupby(sorted(papers, key=lambda paper: paper["cluster"]), key=lambda paper: paper["cluster"])
    members = [list(cluster) for _, cluster in by_cluster]

    def short(some: list[JsonObject]) -> list[JsonObject]:
        return [with_link(pf, _only(paper, _PAPER)) for paper in some]

    return {
        **_only(record, ("question", "tie")),
        "n_papers": len(papers),
        "n_links": len(record["links"]),
        "between": short(between[:MOST_BETWEEN]),
        "main_path": short([papers[place] for place in record["main_path"]]),
        "clusters": [{"n_papers": len(each), "papers": short(each[:MOST_OF_A_CLUSTER])} for each in members],
        "notes": record["notes"],
    }


def _small_timeline(pf: "Pathfinder", record: JsonObject) -> JsonObject:
    """Keep the years with papers, the first mentions and the first values."""
    mentions = [with_link(pf, _only(each, ("term", "n_papers", *_PAPER))) for each in record["first_mentions"]]
    titles = {paper["paper_id"]: _only(paper, ("title", "year")) for paper in record["papers"]}
    values = [
        with_link(pf, {**_only(value, _VALUE), **titles[value["paper_id"]]}) for value in record["values"][:MOST_VALUES]
    ]
    return {
        "question": record["question"],
        "years": [year for year in record["years"] if year["n"]],
        "first_mentions": mentions,
        "n_values": len(record["values"]),
        "values": values,
        "notes": record["notes"],
    }


def _only(record: JsonObject, names: tuple[str, ...]) -> JsonObject:
    return {name: record[name] for name in names}
