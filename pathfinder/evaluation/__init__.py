"""How good it is: collections of judged questions, the methods compared, and the measures."""
