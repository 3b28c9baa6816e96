"""The Corpus page: the open corpus, others, and new ones."""
