"""Self-feedback: a draft, a critique, a search for what it lacks, and a revision (OpenScholar, arXiv:2411.14199)."""
