"""Takes a table in LaTeX apart into its head and its other rows, as cells that are still LaTeX."""

import re
from collections.abc import Iterator

from pathfinder.fulltext.latex.words import Braces, find_braces
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
    r"|(?P<rule>\\(?:hline|toprule|midrule|bottomrule|colrule)(?![a-zA-Z])(?:\[[^\]\n]{0,20}\])?"
    r"|\\c(?:mid)?(?:line|rule)(?:\([^)\n]{0,9}\))?\{[^{}\n]{0,9}\})|(?P<apart>\\(?:sidehead|cutinhead)(?=\s*\{))|(?P<open>\{)|\\.",
    re.DOTALL,
)
_SPANNING = re.compile(r"\s*\\multicolumn\s*\{\s*(\d{1,3})\s*\}")
_MACRO_OF_HEAD = re.compile(r"\\(?:colhead|twocolhead|dcolhead)(?![a-zA-Z])")

Rows = list[list[str]]


def rows_in(table: Braces) -> tuple[Rows, Rows]:
    """Return the rows of the head and the other rows of the first table in `table`, the source of an environment with a
    caption; both empty if there is none.

    The head ends at the first rule below a row or, without a rule, with the first row.
    """
    begin = _BEGIN.search(table.text)
    if begin is None:
        return [], []
    if "deluxetable" in begin["name"]:
        head, data = _HEAD.search(table.text), _DATA.search(table.text)
        group = table.group(head.end()) if head else None
        return [row for row, _ in _rows(group[0] if group else "")], [row for row, _ in _rows(data[1] if data else "")]
    position = table.after_options(begin.end())
    for _ in range(2 if begin["name"] in _WIDE or begin["star"] else 1):
        group = table.group(position)
        position = table.after_options(group[1]) if group else position
    end = table.text.find(begin[0].replace("begin", "end", 1), position)
    text = table.text[position : end if end >= 0 else len(table.text)]
    if (caption := _CAPTION.search(text)) is not None:  # of a longtable
        source = find_braces(text)
        group = source.group(source.after_options(caption.end()))
        text = text[: caption.start()] + text[group[1] if group else caption.end() :]
    if (end_of_head := _END_OF_HEAD.search(text)) is not None:
        feet = [match.end() for match in _FEET.finditer(text)]
        heads = [row for row, _ in _rows(text[: end_of_head.start()])]
        return heads, [row for row, _ in _rows(text[max(feet, default=end_of_head.end()) :])]
    rows = list(_rows(text))
    n_heads = next((n for n, (_, is_last) in enumerate(rows, 1) if is_last), 1)
    n_heads = n_heads if n_heads < len(rows) else 1
    return [row for row, _ in rows[:n_heads]], [row for row, _ in rows[n_heads:]]


def _rows(text: str) -> Iterator[tuple[list[str], bool]]:
    """Yield each row that has any text, and whether a rule stands below it; one row more than are read at most."""
    source = find_braces(_MACRO_OF_HEAD.sub("", text))
    rows: list[tuple[list[str], bool]] = []
    cells: list[str] = []
    start = position = 0
    while len(rows) <= MOST_ROWS:
        part = _PART.search(source.text, position)
        if part is not None and part["apart"] and (group := source.group(part.end())) is not None:
            rows.append(([group[0]], False))
            start = position = group[1]
            continue
        if part is not None and not any(part[name] for name in ("end", "cell", "rule")):
            position = source.closing.get(part.start(), part.start()) + 1 if part["open"] else part.end()
            continue
        cells += _spread(source.text[start : part.start() if part else len(source.text)])
        if part is None or part["end"] or part["rule"]:
            if any(cell.strip() for cell in cells):
                rows.append((cells, False))
            if part is not None and part["rule"] and rows:
                rows[-1] = (rows[-1][0], True)
            cells = []
        if part is None:
            break
        start = position = part.end()
    yield from rows


def _spread(cell: str) -> list[str]:
    """Return the text of a cell once for each column that it spans."""
    spanning = _SPANNING.match(cell)
    if spanning is None:
        return [cell]
    source = find_braces(cell)
    alignment = source.group(spanning.end())
    content = source.group(alignment[1]) if alignment else None
    return [content[0] if content else ""] * min(int(spanning[1]), MOST_COLUMNS + 1)
