"""Words of made papers, in four languages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Parts of sentences in one language: a start, a subject, a verb, an object and an end."""

    starts: tuple[str, ...]
    subjects: tuple[str, ...]
    verbs: tuple[str, ...]
    objects: tuple[str, ...]
    ends: tuple[str, ...]
    share: str
    """What may follow a sentence, with {} for a number."""
    textual: str
    """Sentence around a citation that is its subject: {0} is the citation, {1} a mark that no other sentence has."""
    bracketed: str
    balance: str
    """Beginning of a paragraph that a displayed formula ends."""
    closer: str
    """Heading of a subsection, with {} for a number."""
    introduction: str
    conclusions: str
    appendix: str
    topics: tuple[str, ...]
    abstract: str
    references: str
    title: str


def _parts(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.split(";"))


ENGLISH = Vocabulary(
    ("", "", *_parts("In addition,;As a consequence,;On average,;By contrast,;In a two-component model,")),
    _parts(
        "the cool gas around distant galaxies;a flaring dwarf star;the dust-free inner disc;our high-redshift sample;"
        "a magnetised wind;the infrared excess;each well-studied cluster;the first spectrograph;a slowly rotating "
        "pulsar;the coefficient of diffusion;the molecular outflow;an unidentified transient;the faint companion;"
        "the star-forming ring;the affected quasar field;a metal-poor halo star"
    ),
    _parts(
        "shows;traces;explains;reflects;confirms;limits;does not follow;amplifies;precedes;fills;modifies;outshines"
    ),
    _parts(
        "a steep decline of the observed flux;the expected relationship with stellar mass;an efficient cooling of the "
        "halo;the effective temperature of its surroundings;a long-lived instability;the calibration of the reference "
        "fields;an extraordinarily luminous afterglow;the distribution of angular momentum;a significant polarisation "
        "signal;the far-infrared background;the difference between both instruments;a sufficiently accurate ephemeris"
    ),
    _parts(
        "over the whole interval of our observations;within the uncertainties of the photometric zero point;when "
        "interstellar extinction is taken into account;at wavelengths beyond the reach of earlier surveys;although the "
        "configuration of the telescope was different;if non-thermal processes are negligible;in spite of the "
        "considerable crowding near the centre;for almost every object in the southern hemisphere"
    ),
    ", by {} per cent",
    "{0} saw the same in field {1}.",
    "The same was seen before {0} in field {1}.",
    "The balance is",
    "A closer look at part {}",
    "Introduction",
    "Conclusions",
    "Tests of the fit",
    _parts(
        "Observations and reduction;Sample selection;Spectral fitting;Results for individual objects;Comparison with "
        "models;Sources of uncertainty;Radial profiles;Discussion;The origin of the scatter;Photometric calibration;"
        "Spatial distribution;Simulated images;Time series;Limits on companions;Ages and metallicities;Colour "
        "gradients;Variability;Kinematics;The role of dust;Implications for feedback"
    ),
    "Abstract",
    "References",
    "Cool gas and warm dust in a made paper about quiet galaxies",
)
GERMAN = Vocabulary(
    ("", "", *_parts("Außerdem;Im Mittel;Dagegen;In diesem Modell;Überraschend")),
    _parts(
        "das kühle Gas;ein veränderlicher Zwergstern;die staubfreie Scheibe;der magnetische Wind;jeder Kugelhaufen;"
        "der erste Spektrograph;ein langsam rotierender Pulsar;der schwache Begleiter;das größte Strahlungsfeld"
    ),
    _parts("zeigt;erklärt;bestätigt;begrenzt;verstärkt;übertrifft;verändert"),
    _parts(
        "einen steilen Abfall der Helligkeit;die erwartete Abhängigkeit von der Sternmasse;die Temperatur der Umgebung;"
        "eine langlebige Instabilität;die Eichung der Vergleichsfelder;die Verteilung des Drehimpulses;"
        "ein deutliches Polarisationssignal;den Unterschied zwischen beiden Geräten"
    ),
    _parts(
        "über den gesamten Zeitraum der Beobachtungen;innerhalb der Unsicherheiten des Nullpunktes;bei Wellenlängen "
        "jenseits früherer Durchmusterungen;für fast alle Objekte der südlichen Hemisphäre;trotz der beträchtlichen "
        "Sterndichte in der Nähe des Zentrums"
    ),
    ", um {} Prozent",
    "{0} fanden dasselbe im Feld {1}.",
    "Dasselbe wurde schon früher {0} im Feld {1} gesehen.",
    "Das Gleichgewicht ist",
    "Genauer betrachtet, Teil {}",
    "Einleitung",
    "Schlussfolgerungen",
    "Prüfung der Anpassung",
    _parts(
        "Beobachtungen und Auswertung;Auswahl der Stichprobe;Ergebnisse für einzelne Objekte;Vergleich mit Modellen;"
        "Quellen der Unsicherheit;Radiale Profile;Diskussion;Ursprung der Streuung"
    ),
    "Zusammenfassung",
    "Literatur",
    "Kühles Gas und warmer Staub in einer erfundenen Arbeit über ruhige Galaxien",
)
FRENCH = Vocabulary(
    ("", "", *_parts("En outre,;En moyenne,;Par contre,;Dans ce modèle,;À notre surprise,")),
    _parts(
        "le gaz froid;une étoile naine variable;le disque sans poussière;le vent magnétisé;chaque amas étudié;"
        "le premier spectrographe;un pulsar en rotation lente;le faible compagnon;la région affectée"
    ),
    _parts("montre;explique;confirme;limite;amplifie;précède;modifie"),
    _parts(
        "une forte baisse du flux observé;la relation attendue avec la masse stellaire;la température effective de son "
        "environnement;une instabilité de longue durée;l'étalonnage des champs de référence;la répartition du moment "
        "cinétique;un signal de polarisation significatif;la différence entre les deux instruments"
    ),
    _parts(
        "sur toute la durée de nos observations;dans les incertitudes du point zéro photométrique;à des longueurs "
        "d'onde hors de portée des relevés précédents;pour presque tous les objets de l'hémisphère sud;malgré la forte "
        "densité d'étoiles près du centre"
    ),
    ", de {} pour cent",
    "{0} ont vu la même chose dans le champ {1}.",
    "La même chose a été vue auparavant {0} dans le champ {1}.",
    "Le bilan est",
    "De plus près, partie {}",
    "Introduction",
    "Conclusions",
    "Essais de l'ajustement",
    _parts(
        "Observations et réduction;Choix de l'échantillon;Résultats pour chaque objet;Comparaison avec les modèles;"
        "Sources d'incertitude;Profils radiaux;Discussion;L'origine de la dispersion"
    ),
    "Résumé",
    "Références",
    "Gaz froid et poussière chaude dans un article inventé sur des galaxies calmes",
)
SPANISH = Vocabulary(
    ("", "", *_parts("Además,;En promedio,;En cambio,;En este modelo,;Según lo previsto,")),
    _parts(
        "el gas frío;una estrella enana variable;el disco sin polvo;el viento magnetizado;cada cúmulo estudiado;"
        "el primer espectrógrafo;un púlsar de rotación lenta;la débil compañera;la región más afectada"
    ),
    _parts("muestra;explica;confirma;limita;amplifica;precede;modifica"),
    _parts(
        "una fuerte caída del flujo observado;la relación esperada con la masa estelar;la temperatura efectiva de su "
        "entorno;una inestabilidad de larga duración;la calibración de los campos de referencia;la distribución del "
        "momento angular;una señal de polarización significativa;la diferencia entre ambos instrumentos"
    ),
    _parts(
        "durante todo el intervalo de nuestras observaciones;dentro de la incertidumbre del punto cero fotométrico;a "
        "longitudes de onda fuera del alcance de sondeos anteriores;para casi todos los objetos del hemisferio sur;a "
        "pesar de la gran densidad de estrellas cerca del centro"
    ),
    ", en un {} por ciento",
    "{0} vieron lo mismo en el campo {1}.",
    "Lo mismo se vio antes {0} en el campo {1}.",
    "El balance es",
    "Más de cerca, parte {}",
    "Introducción",
    "Conclusiones",
    "Pruebas del ajuste",
    _parts(
        "Observaciones y reducción;Selección de la muestra;Resultados de cada objeto;Comparación con los modelos;"
        "Fuentes de incertidumbre;Perfiles radiales;Discusión;El origen de la dispersión"
    ),
    "Resumen",
    "Referencias",
    "Gas frío y polvo caliente en un artículo inventado sobre galaxias tranquilas",
)

SURNAMES = (
    "Abara Bonnet Castillo Dvořák Eriksen Fuentes Grigore Hartmann Ito Jansen Kowal Lindqvist Moreau Nakata O'Leary "
    "Peña Quist Rossi Schäfer Tanaka Ueda Vogel Weiß Xu Yılmaz Zhang".replace("ı", "i").split()
)
COMPOUND_SURNAMES = ("van der Meer", "de la Cruz", "Faint Sky Collaboration", "Garcia-Lopez")
JOURNALS = ("Journal of Faint Objects", "Annals of Slow Stars", "Letters on Dust", "Proceedings of the Quiet Sky")
