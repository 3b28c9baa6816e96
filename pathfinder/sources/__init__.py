"""Sources of papers: each turns what a host or a file offers into papers."""
