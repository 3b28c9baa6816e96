"""`pathfinder hypotheses`: pairs of concepts that are never keywords of the same paper although both appear with
the same other concepts.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from pathfinder.cli.options import JsonFlag
from pathfinder.cli.output import write_json, write_lines, write_notes
from pathfinder.cli.settings import open_pathfinder
from pathfinder.operations.shelves import ids_on

if TYPE_CHECKING:
    from pathfinder.addons.hypotheses.hypothesis import Hypotheses, Hypothesis
    from pathfinder.session import Pathfinder

_About: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--about",
        metavar="QUESTION",
        help="Only hypotheses with a concept from the papers that best match this question.",
    ),
]


def hypotheses(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the corpus.")],
    about: _About = None,
    shelf: Annotated[
        str | None,
        typer.Option("--shelf", metavar="SHELF", help="Only hypotheses with a concept from the papers on a shelf."),
    ] = None,
    n: Annotated[int, typer.Option("--n", metavar="N", help="Number of hypotheses to list, 1 to 200.")] = 20,
    by_model: Annotated[
        int,
        typer.Option(
            "--written", min=0, metavar="N", help="Let the chat model write the statements of the first N hypotheses."
        ),
    ] = 0,
    form: Annotated[
        Literal["csv", "markdown"] | None, typer.Option("--format", help="Write CSV or Markdown instead of a list.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """List pairs of concepts that are never keywords of the same paper although both appear with the same other
    concepts.

    No paper with one of the two among its keywords mentions the other in its title or abstract; other papers are not
    read.
    """
    from pathfinder.addons.hypotheses.writing import hypotheses_csv, hypotheses_markdown, hypotheses_record

    pf = open_pathfinder(folder)
    report = _find(pf, about, () if shelf is None else ids_on(folder, shelf), n)
    report = replace(report, hypotheses=tuple(_write_statements(pf, report, by_model)))
    write_notes((*report.notes, *(note for each in report.hypotheses for note in each.notes)))
    if as_json:
        write_json(hypotheses_record(report))
    elif form is not None:
        typer.echo(hypotheses_csv(report) if form == "csv" else hypotheses_markdown(report), nl=False)
    else:
        write_lines(_lines(report))


def _find(pf: "Pathfinder", about: str | None, paper_ids: tuple[str, ...], n: int) -> "Hypotheses":
    from pathfinder.addons.hypotheses.find import find_hypotheses

    if about is None:
        return find_hypotheses(pf, paper_ids=paper_ids, n=n)
    result = pf.search(about)
    write_notes(result.notes)
    return find_hypotheses(pf, result, paper_ids=paper_ids, n=n)


def _write_statements(pf: "Pathfinder", report: "Hypotheses", n: int) -> Iterator["Hypothesis"]:
    """Yield the hypotheses, the first `n` with statements by the chat model."""
    from pathfinder.addons.hypotheses.hypothesis import write_hypothesis

    for place, each in enumerate(report.hypotheses):
        yield write_hypothesis(pf, each) if place < n else each


def _lines(report: "Hypotheses") -> Iterator[str]:
    from pathfinder.addons.hypotheses.writing import (
        backtest,
        clause_text,
        describe_backtest,
        describe_hypotheses,
        linking_text,
    )

    yield describe_hypotheses(report)
    yield describe_backtest(backtest())
    for rank, each in enumerate(report.hypotheses, start=1):
        yield f"{rank}. {' - '.join(each.concepts)}{' (in a gap in the map)' if each.is_in_gap else ''}"
        yield f"   {' '.join(map(clause_text, each.clauses))}"
        for linking in each.linking:
            for name, side in zip(each.concepts, linking.papers, strict=True):
                yield f"   {name} and {linking.name}: {linking_text(side)}"
