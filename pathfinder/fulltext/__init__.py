"""The full text of papers: sections, paragraphs, figures and references, read from the files in which papers come."""
