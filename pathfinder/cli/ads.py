"""The command `pathfinder ads`: `complete --only ads` for some papers."""

from typing import Annotated

import typer

from pathfinder.cli.operations import run_operation
from pathfinder.cli.options import CorpusFolder, JsonFlag


def ads(
    paper_ids: Annotated[list[str], typer.Argument(metavar="PAPER_ID...", help="Ids of papers in the corpus.")],
    corpus: CorpusFolder = None,
    as_json: JsonFlag = False,
) -> None:
    """Look up papers in NASA ADS: bibcode, current citation count, references. Nothing is stored."""
    from pathfinder.operations.complete import OPERATION

    run_operation(OPERATION, None, corpus, {"only": ["ads"], "papers": paper_ids}, as_json=as_json)
