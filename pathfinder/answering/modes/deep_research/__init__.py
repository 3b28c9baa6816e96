"""Research for questions in several parts: a plan of sub-questions, a finding for each, and their synthesis."""
