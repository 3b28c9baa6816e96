"""A manuscript checked against the works that it cites, as far as the corpus has them."""
