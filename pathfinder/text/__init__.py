"""Scientific text: sentences, words and their forms, LaTeX, names."""
