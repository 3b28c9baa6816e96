"""Words beside a noun that are not names, and the names of molecules."""

from pathfinder.text.english import MONTHS, OPENERS, lower

NO_NAMES = lower((*OPENERS, *MONTHS)) | frozenset(
    "1d 2d 3d agn agns ai all american among amr and ann anns another artificial astrobiology astronomers "
    "astronomy astrophysics bao bayesian bbn because "
    "before between boltzmann british but c++ cambridge carlo cartesian cdm cgm cherenkov chinese cmb cnn cnns co "
    "cold convolutional cpu deep dm dutch each early earth earths einstein eos equilibrium esa eulerian european euv "
    "every existing far fast fir first five fortran four fourier frb free french fresnel fuv fwhm galactic gaussian "
    "general-relativistic german gnn gnns godunov gpu gpus grb grbs grmhd group gw h h2 hamiltonian harvard her hi "
    "high hii his hot hpc hydrodynamic hydrodynamical ia ib ic icm idl igm ii iii imf indian ir iras-like ism iv "
    "japanese java julia jupiter kalman keplerian kerr lagrangian lambda large later lcdm linux local low lte many "
    "markov mars matlab mcmc mercury mhd milky mir ml modern monte most n-body nasa nbody near neptune neural new "
    "newtonian next nir nlte nn nns no non-lte numerical nuv one open or other over pic pinn planck pn pne poisson "
    "psf public python radiative recurrent relativistic riemann rmhd rnn rnns saturn schwarzschild second sed seds "
    "several sfr simple simulated six small sn sne snr some sph standard sun then thermal thermodynamic third three "
    "through two type under universe uv venus very vlbi warm way wide x-ray xray λcdm".split()
)
"""Words and acronyms, in lower case, that are often capitalised but do not name a code, survey or instrument."""

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
"""Formulas and the names of the same molecules, as `key_of` compares them."""
