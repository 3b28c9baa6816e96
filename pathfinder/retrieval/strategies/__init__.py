"""Search strategies that combine several searches: decomposition into sub-questions, and recursion."""
