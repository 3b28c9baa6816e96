"""From hits to words, each sentence with its papers."""
