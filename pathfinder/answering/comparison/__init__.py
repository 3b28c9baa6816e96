"""A comparison table of papers: one row per paper, and one column per question put to all of them."""
