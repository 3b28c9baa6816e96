"""Layers told as plain values, so that two can be compared to the last bit."""

from pathfinder.landscape.data.layer import Layer, UnavailableLayer


def told(layer: Layer | UnavailableLayer) -> tuple[object, ...]:
    """All that a layer holds; of numbers and text in its table the kind too, for 1 is not 1.0."""
    if isinstance(layer, UnavailableLayer):
        return (layer,)
    rows = () if layer.table is None else layer.table.rows
    return (
        (layer.slug, layer.title, layer.description, layer.marks, layer.table, layer.notes),
        [[type(value).__name__ for value in row] for row in rows],
        [
            (
                one.grid,
                one.values.dtype,
                one.values.shape,
                one.values.tobytes(),
                one.colour,
                one.title,
                one.low,
                one.high,
            )
            for one in layer.heatmaps
        ],
        [(one.points.dtype, one.points.tolist(), one.colour, one.title, one.is_path, one.dash) for one in layer.lines],
    )
