"""Words next to a noun that are not names, and the names of molecules."""

from pathfinder.text.english import MONTHS, OPENERS, lower

NO_NAMES = lower((*OPENERS, *MONTHS)) | frozenset(
    "1d 2d 3d ai all american among amr and ann anns another artificial bayesian because before between boltzmann "
    "british but c++ cambridge carlo cartesian chinese cnn cnns co cold convolutional cpu deep dutch each early "
    "einstein eos equilibrium eulerian european every existing far fast first five fortran four fourier free french "
    "fresnel fwhm gaussian general-relativistic german gnn gnns godunov gpu gpus group h h2 hamiltonian harvard her "
    "high his hot hpc hydrodynamic hydrodynamical ic ii iii indian ir iv japanese java julia kalman lagrangian lambda "
    "large later linux local low many markov matlab mcmc ml modern monte most n-body nbody near neural new newtonian "
    "next nn nns no numerical one open or other over pic pinn poisson psf public python radiative recurrent "
    "relativistic riemann rnn rnns second several simple simulated six small some standard then thermal thermodynamic "
    "third three through two type under uv very warm wide x-ray xray".split()
)
"""Words and acronyms, in lower case, that are often capitalised but do not name a code, survey or instrument. Those of
a field are in its profile.
"""

_SUBSCRIPT = r"(?:\d{1,2}|\$?_\{?\d{1,2}\}?\$?)"
"""A number of atoms, plain or in LaTeX: "2" or "$_2$"."""
MOLECULES = (
    rf"(?:c-|l-)?(?:(?:H|C|N|O|S|F|P|He|Si|Cl|Na|Mg|Al|Ti){_SUBSCRIPT}?){{0,6}}"
    rf"(?:(?:H|C|N|O|S|F|P|Cl){_SUBSCRIPT}|HeH|Si[OSCN]|[NM]aCl|TiO|AlO)(?:H|C|N|O|S|F|P|Cl){{0,4}}[+]?(?![\w-])"
    r"|(?:OH|CO|CN|CH|CS|HCN|HNC|HCO\+|HD|HF|HCl)(?![\w-]|\$?_)"
    r"|(?i:water|ammonia|hydroxyl|methane|formaldehyde|acetylene|fullerenes?|molecular hydrogen"
    r"|carbon (?:mon|di)oxide|helium hydride|\w+(?:nitrile|aldehyde|naphthalene|ethanol|methanol))(?!\w)"
)
"""Pattern for the formulas and names of molecules, which every field shares."""
SAME_NAMES = {
    "oh": "hydroxyl",
    "h2o": "water",
    "nh3": "ammonia",
    "co": "carbonmonoxide",
    "co2": "carbondioxide",
    "h2": "molecularhydrogen",
    "ch4": "methane",
    "h2co": "formaldehyde",
    "c2h2": "acetylene",
    "heh+": "heliumhydride",
    "cc6h5cn": "benzonitrile",
}
"""Formulas of molecules, each with the molecule's name, in the form in which `key_of` compares them."""
