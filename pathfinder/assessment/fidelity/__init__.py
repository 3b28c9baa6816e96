"""Fidelity of a rewrite to the original, judged by numbers, units, names, negations and citations."""
