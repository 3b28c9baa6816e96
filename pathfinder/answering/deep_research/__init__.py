"""Questions of several parts: a plan of sub-questions, a finding for each, and their synthesis."""
