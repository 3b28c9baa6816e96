"""Writes the plot of a digest's values as a self-contained file: an SVG, a PNG, or a page with the plot and a table.

The same values always produce the same bytes.
"""

import html
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pathfinder.answering.assessment.values.candidate import value_as_text
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.landscape.figures.values import DatedValues, dated_values
from pathfinder.landscape.picture_files.pictures import drawing_settings
from pathfinder.text.author_names import parse_name
from pathfinder.text.files import write_file
from pathfinder.text.latex.display import readable
from pathfinder.types import Answer, Digest, Paper, StatedValue

NO_MEAN = "Values as stated in the papers, with their errors; no mean is computed."
_STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 1rem auto; padding: 0 1rem }
svg { max-width: 100%; height: auto } table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid #ddd }
td { overflow-wrap: anywhere }"""


def values_svg(answer: Answer) -> str:
    """Draw the values of an answer's digest as an SVG. Raises `PathfinderError` if there is nothing to draw."""
    dated_points = _dated_points(answer)
    with drawing_settings():
        from pathfinder.landscape.figures.values_drawing import draw_values
        from pathfinder.landscape.picture_files.figure_text import figure_as_svg

        figure = draw_values(dated_points, answer.question, _footer(dated_points))
        return figure_as_svg(figure, answer.question, dated_points.describe())


def values_png(answer: Answer) -> bytes:
    """Draw the values of an answer's digest as a PNG. Raises `PathfinderError` if there is nothing to draw."""
    dated_points = _dated_points(answer)
    with drawing_settings():
        from pathfinder.landscape.figures.values_drawing import draw_values
        from pathfinder.landscape.picture_files.figure_text import clean

        file = io.BytesIO()
        metadata = {"Title": clean(answer.question), "Description": clean(dated_points.describe()), "Software": None}
        figure = draw_values(dated_points, answer.question, _footer(dated_points))
        figure.savefig(file, format="png", metadata=metadata)
    return file.getvalue()


def values_page(answer: Answer) -> str:
    """Write an HTML page that works offline: the plot, and a table of the values with their sentences."""
    drawing = values_svg(answer)
    title = html.escape(answer.question)
    papers = {paper.paper_id: paper for paper in answer.sources}
    rows = "".join(_row(value, papers, answer.digest) for value in _values(answer))
    head = "".join(f"<th>{name}</th>" for name in ("Value", "Quantity", "Paper", "Sentence"))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body>{drawing}<table><tr>{head}</tr>{rows}</table></body></html>\n"
    )


WRITERS: Mapping[str, Callable[[Answer], str | bytes]] = {".svg": values_svg, ".png": values_png, ".html": values_page}
"""Functions that write a file, by its suffix."""


def check_suffix(path: Path) -> None:
    """Raise `UsageError` if no file with the suffix of `path` can be written."""
    if path.suffix.lower() not in WRITERS:
        raise UsageError(
            f"a plot of values is saved as a {', '.join(WRITERS)} file, but {path.name!r} has none of these suffixes"
        )


def write_values(answer: Answer, path: Path) -> None:
    """Write the plot to `path`. Raises `UsageError` for an unknown suffix, and `PathfinderError` if there are no
    values.
    """
    check_suffix(path)
    content = WRITERS[path.suffix.lower()](answer)
    write_file(path, content)


def _values(answer: Answer) -> Sequence[StatedValue]:
    return answer.digest.values if answer.digest else ()


def _dated_points(answer: Answer) -> DatedValues:
    dated_points = dated_values(_values(answer), {paper.paper_id: paper for paper in answer.sources})
    if not dated_points.values:
        why = "none of its values comes from a paper with a year" if _values(answer) else "it lists no values"
        raise PathfinderError(f"the answer has no plot, because {why}: ask for a quantity, or for --form values")
    return dated_points


def _footer(dated_points: DatedValues) -> str:
    if not dated_points.n_left_out:
        return NO_MEAN
    return f"{NO_MEAN} Left out because of a different unit or an unknown year: {dated_points.n_left_out}."


def _row(value: StatedValue, papers: Mapping[str, Paper], digest: Digest | None) -> str:
    paper = papers[value.paper_id]
    findings = digest.findings if digest else ()
    sentence = next(
        (f.sentence for f in findings if f.paper_id == value.paper_id and f.start <= value.start < f.end), ""
    )
    author = parse_name(paper.authors[0]).last if paper.authors else paper.title
    cells = (
        value_as_text(value),
        ", ".join(part for part in (value.quantity, value.of) if part),
        f"{author}, {paper.year or 'year unknown'}",
        sentence,
    )
    return f"<tr>{''.join(f'<td>{html.escape(readable(cell))}</td>' for cell in cells)}</tr>"
