"""Known items: papers that a question names by an identifier or by their title."""
