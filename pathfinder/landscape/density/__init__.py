"""Density of the papers on the map: smoothing, grids of cells, peaks and contours."""
