"""A comparison table of papers: one row a paper, one column a question to all of them."""
