"""The operation that checks a draft against the works that it cites."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from pathfinder.addons.audit.outcome import Audit, SentenceVerdict
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


def describe_audit(audit: Audit) -> str:
    """Say how many sentences cite, how they fare, and what else was found, in a sentence or two."""
    counts = ", ".join(f"{audit.n_with(verdict)} {verdict}" for verdict in SentenceVerdict)
    n_faults = sum(sentence.is_fault for sentence in audit.sentences)
    return (
        f"{len(audit.sentences)} sentences cite {len(audit.works)} works: {counts}. {n_faults} of them to correct, "
        f"{len(audit.remarks)} remarks on the bibliography, {len(audit.suggestions)} works to consider."
    )


def _lines(audit: Audit) -> Iterator[str]:
    yield describe_audit(audit)
    for sentence in audit.sentences:
        if sentence.is_fault or sentence.verdict is SentenceVerdict.NOT_FOUND:
            yield f"{sentence.number}. {sentence.verdict}: {sentence.text}"
            yield from (f"    {reason}" for reason in sentence.reasons)
            for each in sentence.evidence[:1]:
                yield f'    {each.paper.paper_id}, {each.place}: "{each.sentence}"'
    for remark in audit.remarks:
        yield f"{remark.key}: {remark.kind}; {remark.text}"


OPERATION = Operation(
    name="audit",
    help="Check every citing sentence of a draft against the works that it cites, and its bibliography.",
    options=AuditOptions,
    settings=(),
    run=_run,
    result=result_of(Audit, without="paragraphs"),
    lines=_lines,
    address=None,
)
