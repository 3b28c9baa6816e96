"""Knowledge about papers that does not come from sources: merges, and choices of a person."""
