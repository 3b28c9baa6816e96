"""Draft a review of the papers on a shelf: make an outline, write sections with a paper behind each sentence, and
export them to LaTeX, Markdown or DOCX.
"""
