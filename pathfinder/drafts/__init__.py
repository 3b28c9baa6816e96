"""Drafts of reviews: an outline over the papers of a shelf, and sentences that each have a paper behind them."""
