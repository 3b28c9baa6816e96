"""The layout of the map: a place for every paper."""
