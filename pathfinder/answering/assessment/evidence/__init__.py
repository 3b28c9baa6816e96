"""Evidence: whether sources support a sentence, judged by words, numbers with units, negation, direction and names."""
