"""Counts and tests on the map."""
