"""Searches made of several searches."""
