"""Looking up a question: its vector and keywords, and the indexes of papers, passages and titles."""
