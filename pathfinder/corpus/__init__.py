"""The corpus: papers, the files that hold them, and the readers that import them."""
