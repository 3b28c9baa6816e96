"""The layer panel: the layers that are on, with their descriptions and tables."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.data.layer import Layer, LayerInfo, Table, UnavailableLayer
from pathfinder.landscape.drawing.legend import layer_entries, legend_html
from pathfinder.landscape.drawing.scene import Ground, Palette
from pathfinder.landscape.layers.base import has_stored_layers
from pathfinder.landscape.layers.own_papers import MARKED_PAPERS
from pathfinder.text.english import counted
from pathfinder.text.latex.display import for_markdown, with_options
from pathfinder.ui.map import live_canvas, map_cache
from pathfinder.ui.map.map_page import PAGE, change, go_near
from pathfinder.ui.map.map_state import MAX_SLUG, MapState, mark_several
from pathfinder.ui.settings.controls import following

REMOVE = "Remove from the map"
NOT_DRAWN = "This layer cannot be drawn; the note above the map says why."
NOT_STORED = (
    "This library stores no layers made by this version of Pathfinder, so each is computed when it is switched on. "
    "To store them, build the library again in the same folder."
)
MAX_PILLS = 8
"""Maximum number of pills in a group; a longer group becomes a searchable list."""


def panel(pf: Pathfinder, state: MapState, layers: Sequence[Layer], unavailable: Sequence[UnavailableLayer]) -> None:
    """Show the layers that are on, then any in the address that cannot be drawn, then switches for all layers, by
    group, and those missing from this corpus, with advice on how to get them.
    """
    st.header("Layers", anchor=False)
    legend(layers, unavailable, state)
    entries = map_cache.layer_list(pf)
    available = [layer for layer in entries if isinstance(layer, LayerInfo)]
    for group in dict.fromkeys(layer.group for layer in available):
        _group(group, [layer for layer in available if layer.group == group and not layer.choice], state)
    for layer in available:
        if layer.choice:
            key = f"layer-of-{layer.slug}"
            # More would not fit into the field.
            hint = layer.choice.partition(";")[0].removesuffix(", separated by semicolons")
            tip, most = for_markdown(layer.choice), MAX_SLUG - len(f"{layer.slug}:")
            add = partial(_add, key, layer.slug)
            st.text_input(layer.title, key=key, placeholder=hint, help=tip, max_chars=most, on_change=add)
    lacking = [layer for layer in entries if isinstance(layer, UnavailableLayer)]
    missions = [layer for layer in lacking if layer.slug.startswith("mission:")]
    if others := [layer for layer in lacking if layer not in missions]:
        _list(f"{counted(len(others), 'layer')} not available for this library", others)
    if missions:
        _list(f"{counted(len(missions), 'mission')} not mentioned in this library", missions)
    if pf.map_data is not None and not has_stored_layers(pf.map_data):
        st.caption(NOT_STORED if pf.year is None else f"Layers are computed from the papers published up to {pf.year}.")


def _list(heading: str, layers: Sequence[UnavailableLayer]) -> None:
    with st.expander(heading, type="compact"):
        lines = (f"- **{for_markdown(layer.title)}**: {with_options(layer.reason)}" for layer in layers)
        st.markdown("\n".join(lines))


def _group(group: str, layers: Sequence[LayerInfo], state: MapState) -> None:
    if not layers:
        return
    slugs = [layer.slug for layer in layers]
    titles = {each.slug: each.title + (f" ({each.n_papers:,})" if each.n_papers is not None else "") for each in layers}
    calls = PAGE.switches(f"layers-{group}", slugs, state.layer)
    if len(slugs) <= MAX_PILLS:
        # The label of a pill is Markdown; that of an option in a list is text.
        safe_titles = {slug: for_markdown(title) for slug, title in titles.items()}
        st.pills(group, slugs, selection_mode="multi", wrap=True, format_func=safe_titles.__getitem__, **calls)
    else:
        hint = f"{len(slugs)} to choose from"
        st.multiselect(group, slugs, format_func=titles.__getitem__, placeholder=hint, **calls)


def _add(key: str, kind: str) -> None:
    text, layers = st.session_state[key].strip(), PAGE.read()[0].layer
    st.session_state[key] = ""
    if text and kind == MARKED_PAPERS:
        layers, left_out = mark_several(layers, text)
        if left_out:
            live_canvas.note(
                UsageError(f"the page's address has no room for {', '.join(left_out)}: remove other marks first")
            )
        PAGE.set_layers(layers)
    elif text:
        PAGE.set_layers(tuple(dict.fromkeys((*layers, f"{kind}:{text}"))))


def legend(layers: Sequence[Layer], unavailable: Sequence[UnavailableLayer], state: MapState) -> None:
    """Explain each layer that is on, with its colours and a button that removes it; list those not drawn."""
    all_layers: tuple[Layer | UnavailableLayer, ...] = (*layers, *unavailable)
    for layer in all_layers:
        with st.container(border=True, gap="xsmall", key=f"legend-{layer.slug}"):
            title, button = st.columns([8, 1], vertical_alignment="center")
            title.markdown(f"**{for_markdown(layer.title)}**")
            rest = tuple(slug for slug in state.layer if slug != layer.slug)
            button.button(
                "✕", key=f"off-{layer.slug}", type="tertiary", help=REMOVE, on_click=PAGE.set_layers, args=(rest,)
            )
            if not isinstance(layer, Layer):
                st.caption(NOT_DRAWN)
                continue
            if entries := layer_entries(layer):
                st.html(legend_html(entries))
            st.caption(for_markdown(layer.description))
            for note in layer.notes:
                st.caption(f":material/info: {with_options(note)}")


def tables(layers: Sequence[Layer]) -> None:
    """Show the tables of the layers that are on; a click on a row that has a position moves the map there."""
    for layer in layers:
        if (table := layer.table) is None or not table.rows:
            continue
        with st.expander(f"{for_markdown(layer.title)}: table", type="compact"):
            key, selects = f"table-{layer.slug}", dict[str, Any]()
            if any(table.places):
                st.caption("Click a row to go to its place on the map.")
                selects = {"on_select": partial(_go_to_row, table, key), "selection_mode": "single-cell"}
            columns = {c.title: _of_one_kind([row[i] for row in table.rows]) for i, c in enumerate(table.columns)}
            notes = {c.title: st.column_config.Column(c.title, help=c.note or None) for c in table.columns}
            st.dataframe(columns, key=key, column_config=notes, hide_index=True, width="stretch", **selects)


def _go_to_row(table: Table, key: str) -> None:
    """Move the map to the position of the row whose cell was selected; deselecting a cell does nothing."""
    for row, _ in st.session_state[key].selection.cells:
        if (place := table.places[row]) is not None:
            go_near(*place)


def _of_one_kind(values: list[str | float | int | None]) -> list[str | float | int | None]:
    """Convert all values to text if any of them is text: Arrow does not accept a column with both text and numbers."""
    if not any(isinstance(value, str) for value in values):
        return values
    return [value if value is None or isinstance(value, str) else f"{value:g}" for value in values]


# The map's display panel: background, colours, names, and playing through the years.

GROUNDS = {Ground.DENSITY: "Density", Ground.RELIEF: "Relief"}
PALETTES = {Palette.STANDARD: "Standard", Palette.COLOUR_BLIND: "Colour-blind safe", Palette.CONTRAST: "High contrast"}


def display_panel(pf: Pathfinder, state: MapState) -> None:
    """Show the switches with the values set in the address."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "Ground", list(GROUNDS), format_func=GROUNDS.__getitem__, label_visibility="collapsed", required=True,
            on_change=_set_display, args=("map-ground", "ground"), **following("map-ground", state.ground),
        )  # fmt: skip
        with st.popover("Look", icon=":material/palette:"):
            st.pills(
                "Colours", list(PALETTES), format_func=PALETTES.__getitem__, required=True,
                on_change=_set_display, args=("map-palette", "palette"), **following("map-palette", state.palette),
            )  # fmt: skip
            names = following("map-names", state.names, "value")
            st.toggle("Names", on_change=_set_display, args=("map-names", "names"), **names)
        if map_cache.history(pf) is not None:
            plays = following("map-plays", state.plays, "value")
            st.toggle(
                "Play the years",
                on_change=lambda: change(plays=st.session_state["map-plays"], years=None),
                help="Choose or play years below the map",
                **plays,
            )


def _set_display(key: str, field: str) -> None:
    change(**{field: st.session_state[key]})
