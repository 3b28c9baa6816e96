"""The nine showcase questions of arXiv:2408.01556, in our own wording."""

SHOWCASE_QUESTIONS = (
    "What is the value of the Hubble constant?",
    "Which radiative transfer codes are used in astronomy?",
    "How has citizen science contributed to astronomy?",
    "Is this faint satellite a dwarf galaxy or a star cluster: how are the two told apart?",
    "Can a galaxy's spectrum be predicted from its images?",
    "Has Lasso or Ridge regression been used to study the torus of active galactic nuclei?",
    "Que es un exoplaneta?",
    "Is kriging the same as Gaussian process regression?",
    "What would the universe look like without dark matter?",
)
