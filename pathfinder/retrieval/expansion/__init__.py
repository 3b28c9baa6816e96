"""Query expansion: hypothetical abstracts, relevance feedback and synonyms."""
