"""The citation network of a corpus, used to describe a paper and to widen a search."""
