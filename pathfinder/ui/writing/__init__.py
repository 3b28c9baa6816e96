"""The Write page: a draft of a review of the papers on a shelf."""
