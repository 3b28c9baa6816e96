"""Values stated in papers: the quantity that a question asks for, and the numbers in a text that are values of that
quantity.
"""
