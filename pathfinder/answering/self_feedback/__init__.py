"""A draft, a critique of it, what the critique wants looked up, and a revision (OpenScholar, arXiv:2411.14199)."""
