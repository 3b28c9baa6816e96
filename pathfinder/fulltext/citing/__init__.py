"""Citations in running text, resolved to the reference list."""
