"""The full text of papers: sections, paragraphs, figures and references, read from the usual kinds of files."""
