"""Why here: the reasons for a paper's rank and what would change it, computed when the reader opens the panel."""

import math
from collections.abc import Iterable, Iterator
from html import escape

import numpy as np
import streamlit as st

from pathfinder.retrieval.explanation.counterfactual import smallest_changes
from pathfinder.retrieval.explanation.stability import NOTHING_TO_PERTURB, stability
from pathfinder.retrieval.explanation.waterfall import BarPart, Waterfall, bar_parts, is_unknown, waterfall
from pathfinder.retrieval.factors import FACTORS, factor_of, label_of
from pathfinder.retrieval.factors.registry import MATCH
from pathfinder.retrieval.weighting import RERANK, active_factors, final_scores, ranking, weigh
from pathfinder.text.english import ordinal
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Hit, Preset, SearchResult
from pathfinder.types.setting_kinds import MIN_STRENGTH
from pathfinder.types.weighting import feature_of
from pathfinder.ui.papers.paper_lines import Runs
from pathfinder.ui.settings.controls import weigh as set_weights

INK = "#777777"
"""Colour of the sum, readable on both the light and the dark theme."""
HOW_TO_READ = "The further left a part reaches, the more it costs the paper."
HOW_TO_READ_PAPER = (
    "The factors are multiplied; each part is the logarithm of a factor, so the parts add up to the "
    "logarithm of the score."
)
IN_WORDS = {
    MATCH: "by its words and meaning",
    RERANK: "when read beside the question",
    "keyword": "by shared keywords",
    "recency": "by its year",
    "citation": "by citations",
}
"""What the parts of a bar compare, after "3rd"; other parts are named by their label."""
MAX_TITLE = 90
"""Maximum length in characters of a title in the list of other candidates."""


def bars(result: SearchResult) -> Iterator[tuple[str, Runs]]:
    """Yield the bar of each listed paper, and one sentence on where it stands among the candidates: in all, and in each
    part of its bar, which is named by its colour.
    """
    candidates, weighting = result.candidates, result.request.weighting
    measured = {name: weights for name, (_, weights) in active_factors(candidates, weighting).items()}
    has_cosine = (weighting.preset is Preset.PAPER) & ~np.isnan(candidates.dense)
    measured[MATCH] = np.where(has_cosine, candidates.dense, candidates.fused)
    if candidates.rerank is not None:
        measured[RERANK] = np.nan_to_num(candidates.rerank)
    for rank, hit in enumerate(result.hits, start=1):
        position, runs = _position(hit, result), list[tuple[str, str]]()
        parts = bar_parts(hit.score, weighting)
        for n, part in enumerate(parts, start=1):
            n_before = int((measured[part.factor] > measured[part.factor][position]).sum())
            words = IN_WORDS.get(part.factor) or f"by {label_of(part.factor)}"
            is_middle = is_unknown(part.factor, hit.paper)
            words = f"in the middle {words} (not known)" if is_middle else f"{ordinal(n_before + 1)} {words}"
            between = "." if n == len(parts) else " and " if n == len(parts) - 1 else ", "
            runs += [(colour_of(part.factor), "■"), ("", f" {words}{between}")]
        named = "The question names this paper, so it comes first. " if hit.known_as else ""
        first = ("", f"{named}Of {len(candidates):,} papers, this is "), ("mark", ordinal(rank)), ("", ": ")
        yield gradient(parts), (*first, *runs)


def reasons(hit: Hit, result: SearchResult) -> None:
    """Draw the waterfall of a listed paper, the change that would put it in first place, and its stability."""
    position, weighting = _position(hit, result), result.request.weighting
    st.html(waterfall_html(waterfall(hit, weighting)))
    _what_would(result, position, 1)
    sureness = stability(result.candidates, weighting, result.request.top_k)
    st.caption(NOTHING_TO_PERTURB if sureness is None else f"It {sureness.describe(position)}. {sureness.help}")


def _position(hit: Hit, result: SearchResult) -> int:
    return int(np.flatnonzero(result.candidates.rows == hit.row)[0])


def others(result: SearchResult) -> None:
    """Let the reader choose a candidate that is not listed, and show what would put it in the top k."""
    top_k, weighting = result.request.top_k, result.request.weighting
    order = ranking(final_scores(result.candidates, weighting))
    if len(order) <= top_k:
        return
    label = f"What would put another paper in the top {top_k}?"
    with st.expander(label, key="others", on_change="rerun") as lid:
        if not lid.open:
            return
        ranks = {int(position): rank for rank, position in enumerate(order, start=1) if rank > top_k}
        titles = {position: result.candidates.papers[position].title for position in ranks}
        # Keyed by position among the candidates, which does not change with the weights.
        labels = {position: f"{rank}. {titles[position]}"[:MAX_TITLE] for position, rank in ranks.items()}
        label = f"The other {len(ranks):,} papers, best first"
        hint = "Choose a paper, or type a word from its title"
        position = st.selectbox(label, ranks, None, format_func=labels.__getitem__, placeholder=hint, key="other")
        if position is not None:
            hit = weigh(result.candidates, weighting, ranks[position])[-1]
            st.markdown(f"**{ranks[position]}.** {for_markdown(hit.paper.title)}")
            st.html(waterfall_html(waterfall(hit, weighting)))
            _what_would(result, position, top_k)


def _what_would(result: SearchResult, position: int, top_k: int) -> None:
    """Describe in one sentence the smallest change that would suffice, and show a button for each slider that suffices
    on its own, smallest change first.
    """
    counterfactual = smallest_changes(result.candidates, result.request.weighting, position, top_k)
    st.markdown(for_markdown(counterfactual.description))
    with st.container(horizontal=True, gap="small"):
        for change in counterfactual.changes:
            if 0 < change.after < MIN_STRENGTH:  # this cannot be set on a slider
                continue
            label = f"Set {factor_of(change.slider).label} to {change.after:.6g}: {ordinal(change.rank)}"
            key = f"set-{change.slider}-{int(result.candidates.rows[position])}"
            weighting = result.request.weighting.with_strength(change.slider, change.after)
            if st.button(for_markdown(label), key=key, on_click=set_weights, args=(weighting,)):
                st.rerun()  # the whole page, not just this fragment
    if counterfactual.rank > top_k and (fixed_sliders := counterfactual.fixed_description):
        st.caption(for_markdown(fixed_sliders))


def waterfall_html(fall: Waterfall) -> str:
    """Return the steps as HTML; descriptions are escaped: they may hold names of features, which come from papers."""
    finite = [0.0, *(step.total for step in fall.steps if math.isfinite(step.total))]
    low, high = min(finite), max(finite)
    reach = (high - low) or 1.0

    def percent(total: float) -> float:
        return 100 * (max(total, low) - low) / reach

    before, rows = 0.0, []
    for step in fall.steps:
        words, colour = escape(step.description), colour_of(step.factor)
        if step.factor == MATCH:
            words = f'<span title="{words}">{words.partition(":")[0]}</span>'
        rows.append(_row(words, _with_sign(step.amount), percent(before), percent(step.total), colour))
        before = step.total
    name, how_to_read = ("logarithm of the score", HOW_TO_READ_PAPER) if fall.is_logarithm else ("score", HOW_TO_READ)
    rows.append(_row(f"<b>{name}</b>", f"<b>{_with_sign(fall.total)}</b>", percent(0.0), percent(fall.total), INK))
    return f'<div class="steps">{"".join(rows)}{how_to_read}</div>'


def _row(words: str, amount: str, start: float, end: float, colour: str) -> str:
    """Return one step: its label, its amount, and a bar from the sum before it to the sum after it, in percent."""
    left, right = (
        f"min({min(start, end):.2f}%, 100% - 2px)",
        f"max({max(start, end):.2f}%, {min(start, end):.2f}% + 2px)",
    )
    bar = f"linear-gradient(to right, {_EMPTY} {left}, {colour} {left} {right}, {_EMPTY} {right})"
    return (
        f'<div class="ends"><span>{words}</span><span>{amount}</span></div>'
        f'<div class="step" style="background: {bar}"></div>'
    )


def _with_sign(amount: float) -> str:
    return f"{amount:+.3f}" if math.isfinite(amount) else "−∞"


# Score bar of a paper: the exact parts of its final score, in colours.

_MATCH_COLOUR = "#0072B2"
_MORE, _LESS = "#44AA99", "#AA4499"
_COLOURS = ("#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#B39B00", "#888888", "#B0457A", "#D55E00", "#7B68C8")
"""Colours of Okabe & Ito, distinguishable with any colour vision, plus grey and P. Tol's wine and indigo."""
_EMPTY = "rgba(128,128,128,.3)"


def gradient(parts: Iterable[BarPart]) -> str:
    """Return the bar as a CSS gradient, each part with the share of the bar that it fills."""
    end, stops = 0.0, []
    for part in parts:
        start, end = end, end + 100 * part.length
        stops.append(f"{colour_of(part.factor)} {start:.2f}% {end:.2f}%")
    return f"linear-gradient(to right, {', '.join([*stops, f'{_EMPTY} {end:.2f}% 100%'])})"


def colour_of(factor: str) -> str:
    """Return the colour of a factor's part, according to its position in the registry; plug-ins reuse the colours in
    turn. All steers towards features share one colour, and all steers away from features share another.
    """
    if (steer := feature_of(factor)) is not None:
        return _MORE if steer[1] > 0 else _LESS
    return _MATCH_COLOUR if factor == MATCH else _COLOURS[FACTORS.names().index(factor) % len(_COLOURS)]
