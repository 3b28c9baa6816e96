"""The reranker that needs nothing but the corpus and the local model: a small sum over what each token matches."""
