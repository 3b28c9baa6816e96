"""The layers of the map: which are on, what they show, and their tables."""

from collections.abc import Sequence
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.explorer import Pathfinder
from pathfinder.export.latex import for_markdown, with_options
from pathfinder.landscape.layer import Absent, Dash, Layer, Offer, Table
from pathfinder.landscape.layers.found import SHELF
from pathfinder.ui import landscape_cache as cache
from pathfinder.ui import live_canvas
from pathfinder.ui.dashes import gaps
from pathfinder.ui.following import following
from pathfinder.ui.landscape import change, go_near
from pathfinder.ui.landscape_shelf import put_typed_on
from pathfinder.ui.landscape_state import MAX_SLUG, MapState
from pathfinder.ui.layer_limit import within_limit

OFF = "Take it off the map"
NOT_DRAWN = "It cannot be drawn here; the note above the map says why."
MAX_PILLS = 8
"""Of a group; a longer one is a list that can be searched."""


def panel(pf: Pathfinder, state: MapState, layers: Sequence[Layer], missing: Sequence[Absent]) -> None:
    """What is on, what the address names and cannot be drawn, then what can be switched on."""
    st.subheader("Layers", anchor=False)
    legend(layers, missing, state)
    chooser(pf, state)


def chooser(pf: Pathfinder, state: MapState) -> None:
    """Switches for all layers, by group; those that this corpus does not have are named with the way to them."""
    offers = cache.offers(pf)
    there = [offer for offer in offers if isinstance(offer, Offer)]
    for group in dict.fromkeys(offer.group for offer in there):
        _group(group, [offer for offer in there if offer.group == group and not offer.needs], state)
    for offer in there:
        if offer.needs:
            _named(offer, state)
    missing = [offer for offer in offers if isinstance(offer, Absent)]
    if missing:
        with st.expander(f"{len(missing)} not in this corpus", type="compact"):
            st.markdown("\n".join(f"- **{for_markdown(one.title)}**: {with_options(one.why)}" for one in missing))


def _group(group: str, offers: Sequence[Offer], state: MapState) -> None:
    if not offers:
        return
    slugs = [offer.slug for offer in offers]
    titles = {offer.slug: _in_words(offer) for offer in offers}
    key = f"layers-{group}"
    calls: dict[str, Any] = {"on_change": _take, "args": (key, titles, state)}
    calls |= following(key, [slug for slug in state.layer if slug in titles])
    if len(slugs) <= MAX_PILLS:
        # The label of a pill is Markdown; that of an option in a list is text.
        marked = {slug: for_markdown(title) for slug, title in titles.items()}
        st.pills(group, slugs, selection_mode="multi", wrap=True, format_func=marked.__getitem__, **calls)
    else:
        hint = f"{len(slugs)} to choose from"
        st.multiselect(group, slugs, format_func=titles.__getitem__, placeholder=hint, **calls)


def _in_words(offer: Offer) -> str:
    return offer.title if offer.n_papers is None else f"{offer.title} ({offer.n_papers:,})"


def _take(key: str, of_group: dict[str, str], state: MapState) -> None:
    chosen: list[str] = st.session_state[key]
    kept = [slug for slug in state.layer if slug not in of_group or slug in chosen]
    _set((*kept, *(slug for slug in chosen if slug not in kept)), state)


def _named(offer: Offer, state: MapState) -> None:
    """A layer of what a reader types: whose path, which topic, which papers."""
    key = f"layer-of-{offer.slug}"
    st.text_input(
        offer.title,
        key=key,
        placeholder=offer.needs.partition(";")[0],  # more would not fit the field
        help=for_markdown(offer.needs),
        max_chars=MAX_SLUG - len(f"{offer.slug}:"),
        on_change=partial(_add, key, offer.slug, state),
    )


def _add(key: str, kind: str, state: MapState) -> None:
    typed = st.session_state[key].strip()
    st.session_state[key] = ""
    if typed and kind == SHELF:
        layers, left_out = put_typed_on(state.layer, typed)
        if left_out:
            live_canvas.note(UsageError(f"no room on the shelf for {', '.join(left_out)}: take other papers off it"))
        _set(layers, state)
    elif typed:
        _set(tuple(dict.fromkeys((*state.layer, f"{kind}:{typed}"))), state)


def _set(slugs: tuple[str, ...], state: MapState) -> None:
    change(layer=within_limit(slugs, state.layer))


def legend(layers: Sequence[Layer], missing: Sequence[Absent], state: MapState) -> None:
    """What each layer that is on shows, with its colours, and a button that takes it off; so too for the missing."""
    listed: tuple[Layer | Absent, ...] = (*layers, *missing)
    for one in listed:
        with st.container(border=True, gap="xsmall", key=f"legend-{one.slug}"):
            title, button = st.columns([8, 1], vertical_alignment="center")
            title.markdown(f"**{for_markdown(one.title)}**")
            rest = tuple(slug for slug in state.layer if slug != one.slug)
            button.button("✕", key=f"off-{one.slug}", type="tertiary", help=OFF, on_click=_set, args=(rest, state))
            if isinstance(one, Layer):
                _explained(one)
            else:
                st.caption(NOT_DRAWN)


def _explained(layer: Layer) -> None:
    if drawn := swatches(layer):
        st.html(drawn)
    st.caption(for_markdown(layer.says))
    for note in layer.notes:
        st.caption(f":material/info: {with_options(note)}")


def swatches(layer: Layer) -> str:
    """HTML of the colours of a layer with their meaning."""
    entries: dict[tuple[str, str, str, Dash], str] = {}
    for cells in layer.cells:
        words = " to ".join(part for part in (cells.low, cells.high) if part)
        entries["veil", cells.colour, cells.title, Dash.SOLID] = f"{cells.title}: {words}" if words else cells.title
    for line in layer.lines:
        entries["path" if line.is_path else "line", line.colour, line.title, line.dash] = line.title
    for mark in layer.marks:
        entries["mark", mark.colour, mark.title, Dash.SOLID] = mark.title
    return "".join(_swatch(kind, colour, dash, words) for (kind, colour, _, dash), words in entries.items() if words)


_SHAPES = {
    "veil": "width:26px;height:12px;background:linear-gradient(90deg,transparent,{})",
    "line": "width:26px;height:3px;background:{}",
    "path": "width:26px;height:11px;background:{};"
    "clip-path:polygon(0 36%,65% 36%,65% 0,100% 50%,65% 100%,65% 64%,0 64%)",  # an arrow
    "mark": "width:0;height:0;border:6px solid transparent;border-top:0;border-bottom:11px solid {}",
}


def _swatch(kind: str, colour: str, dash: Dash, words: str) -> str:
    shape = _SHAPES[kind].format(escape(colour)) + gaps(dash)
    return (
        '<div style="display:flex;align-items:center;gap:8px;font-size:.85rem;padding:1px 0">'
        f'<span style="flex:none;{shape}"></span><span>{escape(words)}</span></div>'
    )


def tables(layers: Sequence[Layer]) -> None:
    """The tables of the layers that are on; a row that has a place leads there."""
    for one in layers:
        if one.table is not None and one.table.rows:
            with st.expander(f"{for_markdown(one.title)}: table", type="compact"):
                _table(one.table, f"table-{one.slug}")


def _table(table: Table, key: str) -> None:
    columns = {column.title: _of_one_kind([row[i] for row in table.rows]) for i, column in enumerate(table.columns)}
    notes = {c.title: st.column_config.Column(c.title, help=c.note or None) for c in table.columns}
    if not any(table.places):
        st.dataframe(columns, key=key, column_config=notes, hide_index=True, width="stretch")
        return
    st.caption("Click a row, and the map goes there.")
    st.dataframe(
        columns, key=key, column_config=notes, hide_index=True, width="stretch",
        on_select=partial(_go_to_row, table, key), selection_mode="single-cell",
    )  # fmt: skip


def _go_to_row(table: Table, key: str) -> None:
    """Any cell of a row stands for it; a cell that is chosen no more leads nowhere."""
    for row, _ in st.session_state[key].selection.cells:
        if (place := table.places[row]) is not None:
            go_near(*place)


def _of_one_kind(values: list[str | float | int | None]) -> list[str | float | int | None]:
    """As they are, or all as text where some are: Arrow takes no column of both."""
    if not any(isinstance(value, str) for value in values):
        return values
    return [value if value is None or isinstance(value, str) else f"{value:g}" for value in values]
