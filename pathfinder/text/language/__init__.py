"""Language processing for scientific English: tokens, base forms, parts of speech, noun phrases and entities."""
