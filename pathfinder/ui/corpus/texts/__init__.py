"""The full texts of the open corpus."""
