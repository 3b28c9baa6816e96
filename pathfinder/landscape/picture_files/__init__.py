"""Picture files of the map, as PNG and SVG, drawn from a scene by matplotlib."""
