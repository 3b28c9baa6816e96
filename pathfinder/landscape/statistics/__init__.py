"""Counts and statistical tests on the map."""
