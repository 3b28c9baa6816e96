"""The command `pathfinder add`: adds individual papers to a corpus, such as those that a live source has found."""

from pathlib import Path
from typing import Annotated

import typer

from pathfinder.cli.output import write_lines
from pathfinder.cli.standing import run_after_change
from pathfinder.settings import read_settings

_IDS = "arXiv ids, DOIs or ids of OpenAlex, such as arxiv:2601.00001 doi:10.1/x openalex:W2741809807."


def add(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")],
    paper_ids: Annotated[list[str], typer.Argument(metavar="ID...", help=_IDS)],
) -> None:
    """Add individual papers to a corpus: their records come from arXiv, Crossref or OpenAlex, never from ADS."""
    from pathfinder.building import build, embedder_for
    from pathfinder.cli.progress import build_progress
    from pathfinder.cli.text import report_lines
    from pathfinder.corpus.manifest import read_manifest
    from pathfinder.sources.single_papers import sources_of

    sources = sources_of(paper_ids)
    read_manifest(folder)  # The corpus must exist already: `pathfinder build` makes a new one.
    with build_progress() as progress:
        report = build(sources, folder, embedder_for(None, folder, read_settings()), progress=progress)
    write_lines(report_lines(report))
    run_after_change(folder, as_json=False)
