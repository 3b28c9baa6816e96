"""The operation that checks a draft against the works that it cites."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from pathfinder.addons.audit.outcome import Audit
from pathfinder.operations.operation import Operation, Options, Shell
from pathfinder.operations.results import result_of

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder


class AuditOptions(Options):
    """A draft, and its bibliography."""

    draft: Annotated[str, Shell("DRAFT")] = Field(
        description="The draft: a .tex, .md, .txt or .docx file, or a folder with the LaTeX of one paper."
    )
    bib: Annotated[str | None, Shell("--bib FILE")] = Field(
        default=None, description="Its BibTeX file; by default, those that the LaTeX names."
    )


def _run(pf: "Pathfinder", _: None, options: AuditOptions) -> Audit:
    from pathfinder.addons.audit.audit import audit_of

    return audit_of(pf, Path(options.draft), None if options.bib is None else Path(options.bib))


def _lines(audit: Audit) -> Iterator[str]:
    from pathfinder.addons.audit.writing import audit_lines

    return audit_lines(audit)


def _markdown(audit: Audit) -> str:
    from pathfinder.addons.audit.writing import audit_markdown

    return audit_markdown(audit)


OPERATION = Operation(
    name="audit",
    help="Check every citing sentence of a draft against the works that it cites, and its bibliography.",
    options=AuditOptions,
    settings=(),
    run=_run,
    result=result_of(Audit, without="paragraphs"),
    lines=_lines,
    forms={"markdown": _markdown},
    address=None,
)
