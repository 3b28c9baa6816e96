"""Watch questions: run them whenever their corpus changes, and list what is new, moved, gone or now contested."""
