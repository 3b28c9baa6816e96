"""Deciding paper by paper which of a pool are in, in an order learned from the decisions, until a rule says to stop."""
