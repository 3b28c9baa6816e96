"""How far papers agree with a statement, and since when."""
