"""Takes a table in LaTeX apart into its head and its other rows, as cells that are still LaTeX."""

import re
from collections.abc import Iterable

from pathfinder.fulltext.latex.words import Braces, environment_ends, find_braces
from pathfinder.fulltext.tables import MOST_COLUMNS, MOST_ROWS

_BEGIN = re.compile(
    r"\\begin\s*\{(?P<name>tabular[xy]?|tabulary|longtable|longtblr|tblr|(?:split)?deluxetable|supertabular|xltabular)"
    r"(?P<star>\*?)\}"
)
_WIDE = frozenset({"tabularx", "tabulary", "xltabular"})
"""Environments whose first argument is a width."""
_HEAD = re.compile(r"\\tablehead(?=\s*\{)")
_DATA = re.compile(r"\\startdata(.*?)(?:\\enddata|\Z)", re.DOTALL)
_CAPTION = re.compile(r"\\caption\*?(?=\s*[\[{])")
_END_OF_HEAD = re.compile(r"\\end(?:first)?head(?![a-zA-Z])")
_FEET = re.compile(r"\\end(?:head|(?:last)?foot)(?![a-zA-Z])")
_PART = re.compile(
    r"(?P<end>\\\\\*?(?:\[[^\]\n]{0,20}\])?|\\tabularnewline(?![a-zA-Z]))|(?P<cell>&)"
    r"|(?P<rule>\\(?:hline|toprule|midrule|bottomrule|colrule)(?![a-zA-Z])(?:\[[^\]\n]{0,20}\])?)"
    r"|(?P<apart>\\(?:sidehead|cutinhead)(?=\s*\{))|(?P<open>\{)|\\.",
    re.DOTALL,
)
_SPANNING = re.compile(r"\s*\\multicolumn\s*\{\s*(\d{1,3})\s*\}")
_DROPPED = re.compile(
    r"\\(?:colhead|twocolhead|dcolhead|morecmidrules)(?![a-zA-Z])"
    r"|\\multirow\s*+(?:\[\w?\])?\s*+\{[^{}\n]{0,9}\}\s*+(?:\[[^\]\n]{0,9}\])?\s*+(?:\*|\{[^{}\n]{0,20}\})"
    r"|\\(?:cline|cmidrule)\s*+(?:\[[^\]\n]{0,40}\])?\s*+(?:\([^)\n]{0,40}\))?\s*+\{[^{}\n]{0,9}\}"
)
"""Macros around a cell, with arguments before it, and rules below some columns, which end no head."""
_INNER = re.compile(
    r"(?P<begin>\\begin\s*\{tabular\}\s*+(?:\[[^\]\n]{0,9}\])?\s*+\{(?:[^{}]|\{[^{}]{0,40}\}){0,100}\})|\\end\s*\{tabular\}"
)
"""Beginning and end of a table that breaks the lines of a cell."""

Rows = list[list[str]]


def rows_in(table: Braces) -> tuple[Rows, Rows]:
    """Return the rows of the head and the other rows of the first table in `table`, the source of an environment with a
    caption; both empty if there is none.

    The head ends at the first rule below a row and across all columns or, without a rule, with the first row.
    """
    begin = _BEGIN.search(table.text)
    if begin is None:
        return [], []
    if "deluxetable" in begin["name"]:
        head, data = _HEAD.search(table.text), _DATA.search(table.text)
        group = table.group(head.end()) if head else None
        return _cells(_rows(group[0] if group else ""), is_head=True), _cells(_rows(data[1] if data else ""))
    position = table.after_options(begin.end())
    for _ in range(2 if begin["name"] in _WIDE or begin["star"] else 1):
        group = table.group(position)
        position = table.after_options(group[1]) if group else position
    ends = environment_ends(table.text, begin["name"] + begin["star"])
    text = table.text[position : ends.get(begin.start(), len(table.text))]
    if (caption := _CAPTION.search(text)) is not None:  # of a longtable
        source = find_braces(text)
        group = source.group(source.after_options(caption.end()))
        text = text[: caption.start()] + text[group[1] if group else caption.end() :]
    if (end_of_head := _END_OF_HEAD.search(text)) is not None:
        feet = [match.end() for match in _FEET.finditer(text)]
        heads = _cells(_rows(text[: end_of_head.start()]), is_head=True)
        return heads, _cells(_rows(text[max(feet, default=end_of_head.end()) :]))
    rows = _rows(text)
    n_heads = next((n for n, (_, is_last) in enumerate(rows, 1) if is_last), 1)
    n_heads = n_heads if n_heads < len(rows) else 1
    return _cells(rows[:n_heads], is_head=True), _cells(rows[n_heads:])


def _rows(text: str) -> list[tuple[list[str], bool]]:
    """Return each row that has any text, and whether a rule stands below it; of more rows than a head and a table may
    have together, only the first.
    """
    text = _INNER.sub(lambda match: "{" if match["begin"] else "}", text)
    source = find_braces(_DROPPED.sub("", text))
    rows: list[tuple[list[str], bool]] = []
    cells: list[str] = []
    start = position = 0
    while len(rows) <= 2 * MOST_ROWS:
        part = _PART.search(source.text, position)
        if part is not None and part["apart"] and (group := source.group(part.end())) is not None:
            rows.append(([group[0]], False))
            start = position = group[1]
            continue
        if part is not None and not any(part[name] for name in ("end", "cell", "rule")):
            position = source.closing.get(part.start(), part.start()) + 1 if part["open"] else part.end()
            continue
        cells.append(source.text[start : part.start() if part else len(source.text)])
        if part is None or part["end"] or part["rule"]:
            if any(cell.strip() for cell in cells):
                rows.append((cells, False))
            if part is not None and part["rule"] and rows:
                rows[-1] = (rows[-1][0], True)
            cells = []
        if part is None:
            break
        start = position = part.end()
    return rows


def _cells(rows: Iterable[tuple[list[str], bool]], *, is_head: bool = False) -> Rows:
    return [[text for cell in row for text in _spread(cell, is_head)] for row, _ in rows]


def _spread(cell: str, is_head: bool) -> list[str]:
    """Return the text of a cell for each column that it spans; only in a head, it is repeated in each."""
    spanning = _SPANNING.match(cell)
    if spanning is None:
        return [cell]
    source = find_braces(cell)
    alignment = source.group(spanning.end())
    content = source.group(alignment[1]) if alignment else None
    text = content[0] if content else ""
    return [text, *[text if is_head else ""] * min(int(spanning[1]) - 1, MOST_COLUMNS)]
