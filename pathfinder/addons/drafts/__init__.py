"""Drafts of a review of the papers on a shelf, with a paper behind each sentence."""
