"""Watch: standing questions on the page, and the changes since the reader last saw them."""
