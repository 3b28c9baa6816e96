"""Whether a text that was told anew says what the original says: numbers, units, names, negations and citations."""
