"""Papers whose every sentence, heading, caption, reference and citation is known, because they are made here.

The words are our own. A seed fixes a paper; it is written as LaTeX in the classes of publishers, as JATS and as text.
"""
