"""The map on a canvas: plain JavaScript without dependencies, for a page and for a file that opens offline."""
