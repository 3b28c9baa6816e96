"""Screening: the papers of a pool read one by one, in an order learned from the decisions, until a rule says stop."""
