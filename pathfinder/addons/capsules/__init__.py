"""Save a question with everything that led to its answer in one file, and open, check and compare such files."""
