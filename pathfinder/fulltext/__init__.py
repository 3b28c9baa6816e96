"""The full texts of papers: sections, paragraphs, figures and references, read from the usual kinds of files."""
