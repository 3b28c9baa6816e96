"""Settings chosen by the reader."""
