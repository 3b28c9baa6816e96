"""A ReAct agent (Yao et al. 2022, arXiv:2210.03629): it thinks, acts and observes until it can answer."""
