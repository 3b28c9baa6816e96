"""What is searched: papers, the files that hold them, and the readers that bring them in."""
