"""Measures of trust in a result, an answer or a rewrite: outliers, shape, relevance, consensus, evidence, fidelity."""
