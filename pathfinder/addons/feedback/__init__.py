"""What readers think of papers and answers, and the weights that follow from it."""
