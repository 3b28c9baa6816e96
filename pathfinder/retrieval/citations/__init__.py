"""The citation network of a corpus, as it describes a paper and adds to a search."""
