"""The Corpus page: the open corpus, other corpora, and new ones."""
