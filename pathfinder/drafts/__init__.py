"""Drafts of reviews: an outline of the papers on a shelf, and sentences that are each backed by a paper."""
