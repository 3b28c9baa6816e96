"""The operation that checks a draft against the works that it cites."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pathfinder.addons.audit.outcome import Audit
from pathfinder.operations.operation import Shell, declare, result_of

if TYPE_CHECKING:
    from pathfinder.building.progress import Progress
    from pathfinder.facade import Pathfinder


def _lines(audit: Audit) -> Iterator[str]:
    from pathfinder.addons.audit.writing import audit_lines

    return audit_lines(audit)


def _markdown(audit: Audit) -> str:
    from pathfinder.addons.audit.writing import audit_markdown

    return audit_markdown(audit)


@declare(
    "audit",
    settings=(),
    result=lambda: result_of(Audit, without="paragraphs"),
    lines=_lines,
    forms={"markdown": _markdown},
    reports=True,
)
def audit(
    pf: "Pathfinder",
    draft: Annotated[
        str, Shell("DRAFT", "The draft: a .tex, .md, .txt or .docx file, or a folder with the LaTeX of one paper.")
    ],
    bib: Annotated[str | None, Shell("--bib FILE", "Its BibTeX file; by default, those that the LaTeX names.")] = None,
    progress: "Progress | None" = None,
) -> Audit:
    """Check every citing sentence of a draft against the works that it cites, and its bibliography."""
    from pathfinder.addons.audit.audit import audit_of

    return audit_of(pf, Path(draft), None if bib is None else Path(bib), progress)
