"""Papers in a format that other programs read."""

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import Field

from pathfinder.operations.export.tables import papers_csv
from pathfinder.operations.fields import settings_given
from pathfinder.operations.operation import Options, PaperIds, Shell, declare
from pathfinder.operations.paper import papers_as_of

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder


class References(NamedTuple):
    """Papers as a text in a format."""

    format: str
    text: str


@declare(
    "references",
    settings=("as_of",),
    lines=lambda references: [references.text.rstrip("\n")],
    address="export",
)
def references(
    pf: "Pathfinder",
    body: Options,
    papers: Annotated[
        PaperIds,
        Shell("PAPER_ID..."),
        Field(min_length=1, max_length=1000),
        Field(description="Ids of the papers, in the order in which to list them."),
    ],
    format: Annotated[Literal["bibtex", "csv"], Field(description="Format of the text.")] = "bibtex",  # noqa: A002
) -> References:
    """Write papers as BibTeX or CSV. An abstract without a stated licence is left out, and the text says so."""
    from pathfinder.operations.export.bibtex import bibtex

    chosen = papers_as_of(pf, papers, settings_given(body).get("as_of"))
    return References(format, bibtex(chosen) if format == "bibtex" else papers_csv(chosen))
