"""Words beside a noun that are not names, and designations of objects in catalogues."""

NO_NAMES = frozenset(
    "thermodynamic equilibrium thermal artificial neural anns ann gnns rnns nn nns pinn convolutional recurrent "
    "monte carlo bayesian cherenkov gaussian markov eulerian lagrangian cartesian newtonian galactic universe "
    "nlte lte non-lte mhd grmhd rmhd sph amr mcmc cpu gpu gpus hpc pic n-body nbody 1d 2d 3d ml ai cnn cnns gnn "
    "rnn dm sed seds agn agns cmb gw grb grbs frb x-ray xray open python fortran c++ idl matlab julia java linux "
    "the this these those our their its we in on at by for from with using a an here both new public free "
    "standard fast modern existing many most some several other such as and or but if when while since although "
    "however it each all fourier poisson boltzmann hamiltonian keplerian einstein planck schwarzschild kerr "
    "fresnel lambda cdm lcdm λcdm nasa esa american european japanese chinese british dutch german french indian "
    "cambridge harvard his her hydrodynamic hydrodynamical radiative relativistic general-relativistic numerical "
    "simple simulated astronomers they he she one two three four five six based then finally later early first "
    "second third among after before under over between through because thus earth earths sun jupiter neptune "
    "saturn mars venus mercury milky way local group type sn sne ia ib ic ii iii iv hot cold warm large small "
    "very deep wide high low near far next another every no ir nir mir fir uv euv fuv nuv vlbi iras-like january "
    "february march april may june july august september october november december bao bbn eos ism igm cgm icm "
    "imf sfr fwhm snr psf pn pne hii hi co h2 h i".split()
)
"""Words and acronyms, in lower case, that are often capitalised but do not name a code, survey or instrument."""

DESIGNATIONS = {
    "pulsar": r"PSR\s?[BJ]?\d{4}[+−-]\d{2,4}[A-Z]?",
    "supernova": r"SN\s?(?:19|20)\d\d[A-Za-z]{1,4}",
    "burst": r"(?:GRB|FRB)\s?\d{6,8}[A-Z]?",
    "galaxy": r"(?:NGC|UGC|IC|Messier|M|Mrk|Arp)\s?\d{1,5}",
    "cluster": r"(?:Abell|NGC|MACS\s?J?|RX\s?J)\s?\d[\d.+-]*",
    "quasar": r"(?:3C|PG|QSO|PKS|ULAS)\s?[A-Z]?\d[\d.+-]*",
    "comet": r"\d{1,3}P/[A-Z][\w-]+|[CPI]/\d{4}\s[A-Z]\d+|\d{1,2}I/[A-Z]\w+",
    "planet": r"(?:TOI|HD|WASP|HAT-P|Kepler|K2|GJ|TRAPPIST|LHS|HIP|LTT|TIC|CoRoT|HATS)[- ]?\d+\s?[b-i](?![\w])",
}
"""Patterns of catalogue designations, by the noun for their objects; no such noun need stand beside them."""
SAME_DESIGNATIONS = {"exoplanet": "planet", "transient": "supernova", "blazar": "quasar"}
