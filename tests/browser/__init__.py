"""Tests that drive a real browser; a package, so that the browser ends with the last of them."""
