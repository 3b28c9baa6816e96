"""Knowledge about papers that sources do not give: merges, and choices of a person."""
