"""Pairs of concepts that are never keywords of the same paper, although both occur with the same other concepts."""
