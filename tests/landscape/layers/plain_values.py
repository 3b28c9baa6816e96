"""Layers told as plain values, so that two can be compared to the last bit."""

from pathfinder.landscape.data.layer import Layer, UnavailableLayer


def plain_values(layer: Layer | UnavailableLayer) -> tuple[object, ...]:
    """All that a layer holds; of numbers and text in its table the kind too, for 1 is not 1.0."""
    if isinstance(layer, UnavailableLayer):
        return (layer,)
    rows = () if layer.table is None else layer.table.rows
    return (
        (layer.slug, layer.title, layer.description, layer.marks, layer.table, layer.notes),
        [[type(value).__name__ for value in row] for row in rows],
        [
            (
                heatmap.grid,
                heatmap.values.dtype,
                heatmap.values.shape,
                heatmap.values.tobytes(),
                heatmap.colour,
                heatmap.title,
                heatmap.low,
                heatmap.high,
            )
            for heatmap in layer.heatmaps
        ],
        [
            (line.points.dtype, line.points.tolist(), line.colour, line.title, line.is_path, line.dash)
            for line in layer.lines
        ],
    )
