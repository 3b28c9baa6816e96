"""Knowledge about papers that does not come from sources: merges, and a person's choices."""
