"""Values that papers state: which quantity a question asks for, and which numbers in a text are values of that
quantity.
"""
