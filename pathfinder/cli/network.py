"""`pathfinder network`: links the papers found with their neighbours."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from pathfinder.cli.options import SearchCommand
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_pathfinder
from pathfinder.export.records import year_of
from pathfinder.types import NetworkPaper, PaperNetwork, SearchRequest, Tie, without_control_characters

N_BETWEEN = 5
"""Maximum number of papers in the list "between the others"."""

_BY = "What links two papers. Default: references, or likeness in a corpus without a citation network."

OPTIONS = {
    "by": (Annotated[Tie | None, typer.Option("--tie", "--by", help=_BY)], None),
    "n_papers": (
        Annotated[
            int, typer.Option("--papers", metavar="N", help="Number of papers, hits and neighbours together: 2 to 500.")
        ],
        60,
    ),
    "form": (
        Annotated[Literal["graphml"] | None, typer.Option("--format", help="Write GraphML, for Gephi or Cytoscape.")],
        None,
    ),
}


def _network(
    request: SearchRequest,
    folder: Path | None,
    as_json: bool,
    by: Tie | None,
    n_papers: int,
    form: Literal["graphml"] | None,
) -> None:
    """Link the papers found and their neighbours by citations or likeness."""
    from pathfinder.export.paper_network import network_graphml, network_record

    pf = open_pathfinder(folder)
    result = pf.search(request)
    network = pf.network(result, by, n_papers)
    write_notes((*result.notes, *network.notes))
    if form is not None:
        write_lines((network_graphml(network),))
    elif as_json:
        write_json(network_record(network))
    else:
        write_lines(map(without_control_characters, _lines(network)))


network = SearchCommand(_network, OPTIONS)


def _lines(network: PaperNetwork) -> Iterator[str]:
    """Describe the network; then list the papers that lie between others, those on the main path, and each cluster."""
    from pathfinder.figures.network import describe_network

    yield describe_network(network)
    if between := network.between[:N_BETWEEN]:
        yield "between the others:"
        yield from (f"  {_paper(paper)} [{paper.betweenness:.0%} of the shortest paths]" for paper in between)
    if network.main_path:
        yield "main path of citations:"
        yield from (f"  {_paper(network.papers[place])}" for place in network.main_path)
    for cluster in sorted({paper.cluster for paper in network.papers}):
        members = [paper for paper in network.papers if paper.cluster == cluster]
        yield f"cluster {cluster + 1}: {len(members)}"
        yield from (f"  {_paper(paper)}" for paper in members)


def _paper(paper: NetworkPaper) -> str:
    rank = "" if paper.rank is None else f" [rank {paper.rank}]"
    return f"{paper.paper.title} ({year_of(paper.paper) or 'year unknown'}) {paper.paper.paper_id}{rank}"
