"""Evaluation of retrieval: collections of judged questions, methods to compare, and measures."""
