"""LaTeX in titles and abstracts: reading, displaying and escaping it."""
