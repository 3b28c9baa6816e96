"""`pathfinder hypotheses`: pairs of concepts that are never keywords of the same paper although both appear with
the same other concepts.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from pathfinder.addons.hypotheses.hypothesis import (
    MAX_LISTED,
    Hypotheses,
    Hypothesis,
    LinkingConcept,
    LinkingPaper,
    backtest,
    clause_text,
    describe_backtest,
    describe_hypotheses,
    hypotheses_csv,
    hypotheses_markdown,
    linking_text,
)
from pathfinder.operations.operation import Need, QuotedPaper, Shell, declare, result_of

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

_ABOUT = "Only hypotheses with a concept from the papers that best match this question."
_BY_MODEL = "Let the chat model write the statements of the first N hypotheses."
_SHELF = "Only hypotheses with a concept from the papers on a shelf."


def _lines(report: Hypotheses) -> Iterator[str]:
    yield describe_hypotheses(report)
    yield describe_backtest(backtest())
    for rank, each in enumerate(report.hypotheses, start=1):
        yield f"{rank}. {' - '.join(each.concepts)}{' (in a gap in the map)' if each.is_in_gap else ''}"
        yield f"   {' '.join(map(clause_text, each.clauses))}"
        for linking in each.linking:
            for name, side in zip(each.concepts, linking.papers, strict=True):
                yield f"   {name} and {linking.name}: {linking_text(side)}"


def _result() -> Any:
    linking = result_of(LinkingConcept, papers=[result_of(LinkingPaper, paper=QuotedPaper)])
    changed: dict[str, Any] = {
        "concepts": "sides",
        "statement": "clauses",
        "linking": [linking],
        "bridges": [QuotedPaper],
    }
    return result_of(Hypotheses, hypotheses=[result_of(Hypothesis, "n_papers places status", **changed)])


@declare(
    "hypotheses",
    needs=(Need.CHAT_IF_ASKED,),
    settings=(),
    folder_first=True,
    result=_result,
    lines=_lines,
    notes=lambda report: (*report.notes, *(note for each in report.hypotheses for note in each.notes)),
    forms={"csv": hypotheses_csv, "markdown": hypotheses_markdown},
)
def hypotheses(
    pf: "Pathfinder",
    about: Annotated[str | None, Shell("--about QUESTION", _ABOUT)] = None,
    shelf: Annotated[str | None, Shell("--shelf SHELF", _SHELF)] = None,
    n: Annotated[int, Field(ge=1, le=MAX_LISTED, description="Number of hypotheses to list.")] = 20,
    written: Annotated[int, Field(ge=0, description=_BY_MODEL)] = 0,
) -> Hypotheses:
    """List pairs of concepts that are never keywords of the same paper although both appear with the same other
    concepts.

    No paper with one of the two among its keywords mentions the other in its title or abstract; other papers are not
    read.
    """
    from pathfinder.addons.hypotheses.find import find_hypotheses
    from pathfinder.addons.hypotheses.statement import write_hypothesis
    from pathfinder.shelves.shelf import ShelfStore

    ids, result = (
        () if shelf is None else ShelfStore.of(pf.corpus.folder).inside(shelf),
        None if about is None else pf.search(about),
    )
    report = find_hypotheses(pf, result, paper_ids=ids, n=n)
    by_model = [write_hypothesis(pf, each) for each in report.hypotheses[:written]]
    notes = (*(result.notes if result else ()), *report.notes)
    return replace(report, hypotheses=(*by_model, *report.hypotheses[written:]), notes=notes)
