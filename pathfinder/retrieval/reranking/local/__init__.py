"""The local reranker, which needs only the corpus and the local model: a small linear model over token matches."""
