"""Self-feedback: a draft, a critique, a search for what the draft lacks, and a revision (OpenScholar,
arXiv:2411.14199).
"""
