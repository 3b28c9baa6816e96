"""Values that papers state: which quantity a question asks for, and which numbers of a text are values of it."""
