"""Drafts of reviews: an outline over the papers on a shelf, and sentences that each have a paper behind them."""
