"""Standing questions, asked again whenever their corpus changes, and the differences since the reader last looked."""
