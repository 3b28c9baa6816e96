"""The words of a question: spelled as papers spell them, and in the language of the papers."""
