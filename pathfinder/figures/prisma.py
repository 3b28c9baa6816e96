"""The flow diagram of a screening, in the manner of PRISMA 2020 (Page et al. 2021, doi:10.1136/bmj.n71), as SVG."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from pathfinder.screening.decisions import PrismaCounts
from pathfinder.types import without_control_characters

_WIDTH, _LINE, _PAD, _GAP = 300, 18, 12, 36
"""Width of a box, height of a line, space around the text, and space between boxes, in pixels."""
_MAX_REASONS, _MAX_CHARACTERS = 8, 38
_HEAD = (
    "<rect width='100%' height='100%' fill='white'/>"
    "<defs><marker id='head' markerWidth='8' markerHeight='8' refX='7' refY='4' orient='auto'>"
    "<path d='M0,0 L8,4 L0,8 z'/></marker></defs>"
)
"""White background, and the head of an arrow."""
_FONT = "font-family='sans-serif' font-size='13'"


@dataclass(frozen=True, slots=True)
class _Step:
    """One row of the diagram: the papers that continue, and those that are removed at this step."""

    stays: Sequence[str]
    leaves: Sequence[str] = ()


def prisma_svg(counts: PrismaCounts) -> str:
    """Draw the counts of a screening: papers identified, screened and included on the left, papers left out on the
    right.
    """
    parts: list[str] = []
    y = 1
    steps = _steps(counts)
    for place, step in enumerate(steps):
        height = _height(max(len(step.stays), len(step.leaves)))
        parts += _box(1, y, height, step.stays)
        if step.leaves:
            parts += _box(1 + _WIDTH + _GAP, y, height, step.leaves)
            parts.append(_arrow(1 + _WIDTH, y + height // 2, 1 + _WIDTH + _GAP, y + height // 2))
        if place < len(steps) - 1:
            parts.append(_arrow(1 + _WIDTH // 2, y + height, 1 + _WIDTH // 2, y + height + _GAP))
        y += height + _GAP
    width, total = 2 * _WIDTH + _GAP + 2, y - _GAP + 1
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {total}' width='{width}' height='{total}' "
        f"role='img' aria-label='{escape(_summary(counts), quote=True)}'>{_HEAD}{''.join(parts)}</svg>\n"
    )


def _steps(counts: PrismaCounts) -> tuple[_Step, ...]:
    in_pool = counts.identified - counts.duplicates - counts.not_in_pool
    reasons = [
        f"  {_shorten(reason) or 'no reason stated'}: {n:,}"
        for reason, n in list(counts.excluded_by_reason.items())[:_MAX_REASONS]
    ]
    if len(counts.excluded_by_reason) > _MAX_REASONS:
        reasons.append(f"  and {len(counts.excluded_by_reason) - _MAX_REASONS} more reasons")
    return (
        _Step(
            [f"Records identified: {counts.identified:,}"],
            ["Removed before screening", f"  duplicates: {counts.duplicates:,}", f"  other: {counts.not_in_pool:,}"],
        ),
        _Step(
            [f"Papers to be screened: {in_pool:,}"],
            [f"Not screened: {counts.not_screened:,}", f"Put off: {counts.undecided:,}"],
        ),
        _Step([f"Papers screened: {counts.screened:,}"], [f"Papers excluded: {counts.excluded:,}", *reasons]),
        _Step([f"Papers included: {counts.included:,}"]),
    )


def _shorten(reason: str) -> str:
    text = without_control_characters(reason)
    return text if len(text) <= _MAX_CHARACTERS else f"{text[: _MAX_CHARACTERS - 1]}…"


def _summary(counts: PrismaCounts) -> str:
    return (
        f"{counts.identified:,} records identified, {counts.screened:,} screened, {counts.excluded:,} excluded, "
        f"{counts.included:,} included"
    )


def _height(n_lines: int) -> int:
    return n_lines * _LINE + 2 * _PAD


def _box(x: int, y: int, height: int, lines: Sequence[str]) -> Iterator[str]:
    yield f"<rect x='{x}' y='{y}' width='{_WIDTH}' height='{height}' fill='none' stroke='black'/>"
    for n, line in enumerate(lines):
        indent = _PAD + (_PAD if line.startswith("  ") else 0)
        yield f"<text x='{x + indent}' y='{y + _PAD + 13 + n * _LINE}' {_FONT}>{escape(line.strip())}</text>"


def _arrow(x1: int, y1: int, x2: int, y2: int) -> str:
    return f"<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' stroke='black' marker-end='url(#head)'/>"
