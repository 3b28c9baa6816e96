"""Review articles: a list of them, which of them a corpus has, and where they lie on its map."""
