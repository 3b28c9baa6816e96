"""Digests: answers made of quotations alone, in the form that suits the question."""
