"""Years that a question names, as a filter."""
