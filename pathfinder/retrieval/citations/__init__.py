"""What the citation network of a corpus says about a paper, and what it adds to a search."""
