"""Digests: answers made only of quotations, in the form that suits the question."""
