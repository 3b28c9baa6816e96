"""Decide paper by paper what to include and what to exclude, in an order that adapts to your decisions."""
