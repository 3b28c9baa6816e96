"""The answer on the page: its text, evidence, trace, versions and costs."""
