"""Hypotheses: pairs of concepts that are never keywords of the same paper in a corpus, although both occur with the
same other concepts.
"""
