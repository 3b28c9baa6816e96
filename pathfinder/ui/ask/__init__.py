"""The Ask page: the question, the papers found, and the reasons for their ranks."""
