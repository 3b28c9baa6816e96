"""Measures of how far to trust a result, an answer or a rewrite: outliers, shape, relevance, consensus, evidence,
fidelity.
"""
