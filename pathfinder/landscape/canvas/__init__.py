"""The map on a canvas: plain JavaScript with nothing beside it, for a page and for a file that opens offline."""
