"""A question with everything that led to its answer, in a file that opens anywhere."""
