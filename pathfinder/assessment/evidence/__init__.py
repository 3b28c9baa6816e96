"""Whether a sentence says what its source says: words, numbers with units, negation, direction and names."""
