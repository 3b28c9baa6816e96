"""Nouns for quantities that occur in every field, with their plurals."""

_REGULAR = (
    "value age distance temperature size diameter period rate fraction percentage share portion proportion chance "
    "speed wavelength ratio slope number level limit bound angle abundance content amplitude inclination pressure "
    "lifetime timescale duration depth spin separation strength width height yield"
).split()
_IN_Y = "probability velocity density energy frequency eccentricity opacity efficiency".split()
_SINGULAR = (
    "tilt purity completeness scatter precision accuracy sum significance constant curvature gravity brightness power "
    "thickness weight volume viscosity concentration asymmetry dispersion multiplicity"
).split()
_IRREGULAR = {
    "mass": "mass(?:es)?",
    "radius": "radi(?:us|i)",
    "index": "index|indices",
    "flux": "flux(?:es)?",
    "half-life": "half-li(?:fe|ves)",
    "polarisation": "polari[sz]ation",
    "equation of state": "equation of state",
}

QUANTITY_NOUNS = {
    **{noun: f"{noun}s?" for noun in _REGULAR},
    **{noun: f"{noun[:-1]}(?:y|ies)" for noun in _IN_Y},
    **{noun: noun for noun in _SINGULAR},
    **_IRREGULAR,
}
"""Regular expression that matches the singular and the plural of each noun, keyed by the singular."""
