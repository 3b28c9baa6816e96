"""Files of the map, PNG and SVG, drawn by matplotlib from a scene."""
