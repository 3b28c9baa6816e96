"""Hypotheses: pairs of concepts that never occur together in a paper of a corpus although both occur with the same
others.
"""
