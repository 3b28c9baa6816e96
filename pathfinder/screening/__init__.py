"""Screening: the papers in a pool are read one by one, in an order learned from the decisions, until a rule says to
stop.
"""
