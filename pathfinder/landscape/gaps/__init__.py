"""Where something is missing: regions that lack a review, papers between regions, concepts without a name."""
