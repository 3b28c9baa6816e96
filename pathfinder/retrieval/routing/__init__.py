"""What kind of question is asked, and what goes with it."""
