"""Papers in a format that other programs read."""

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import Field

from pathfinder.operations.fields import settings_given
from pathfinder.operations.operation import Operation, Options, Shell
from pathfinder.operations.paper import papers_as_of
from pathfinder.operations.results import result_of

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder


class ReferencesOptions(Options):
    """Papers, and the format in which they are written."""

    papers: Annotated[list[str], Shell("PAPER_ID..."), Field(min_length=1, max_length=1000)] = Field(
        description="Ids of the papers, in the order in which to list them."
    )
    format: Literal["bibtex", "csv"] = Field(default="bibtex", description="Format of the text.")


class References(NamedTuple):
    """Papers as a text in a format."""

    format: str
    text: str


def _run(pf: "Pathfinder", _: None, options: ReferencesOptions) -> References:
    from pathfinder.export.bibtex import bibtex
    from pathfinder.export.tables import papers_csv

    papers = papers_as_of(pf, options.papers, settings_given(options).get("as_of"))
    return References(options.format, bibtex(papers) if options.format == "bibtex" else papers_csv(papers))


OPERATION = Operation(
    name="references",
    help="Write papers as BibTeX or CSV. An abstract without a stated licence is left out, and the text says so.",
    options=ReferencesOptions,
    settings=("as_of",),
    run=_run,
    result=result_of(References),
    lines=lambda references: [references.text.rstrip("\n")],
    address="export",
)
