"""Questions that are asked again whenever their corpus changes."""
