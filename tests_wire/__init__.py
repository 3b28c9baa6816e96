"""Tests against servers that were not written for this project; `make test-wire` runs them."""
