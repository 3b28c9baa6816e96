"""Hypotheses: pairs of concepts that no paper of a corpus has together although both occur with the same others."""
