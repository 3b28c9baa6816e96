"""Parts used by every page: address, state, frame and resources."""
