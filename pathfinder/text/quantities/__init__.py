"""Numbers in a text and their units: one reader shared by evidence, rewrites and keywords."""
