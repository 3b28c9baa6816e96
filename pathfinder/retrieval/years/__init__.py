"""Years named in a question, as a filter."""
