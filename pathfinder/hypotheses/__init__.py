"""Hypotheses: pairs of concepts that are never keywords of the same paper of a corpus although both are keywords with
the same others.
"""
