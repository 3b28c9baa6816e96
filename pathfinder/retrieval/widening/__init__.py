"""What is looked for beside the question itself."""
