"""Standing questions: asked again whenever their corpus changes, with the differences since the reader last looked."""
