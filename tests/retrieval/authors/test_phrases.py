"""Phrases in which a question names authors."""

import pyarrow as pa
import pytest

from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.retrieval.authors.author_filter import authors_named
from pathfinder.retrieval.authors.phrases import mentions
from pathfinder.types import Paper


@pytest.mark.parametrize(
    ("question", "names", "year"),
    [
        ("papers by Riess", ("Riess",), None),
        ("Papers by Adam Riess on the Hubble constant", ("Adam Riess",), None),
        ("papers by Riess, Freedman and Suyu", ("Riess", "Freedman", "Suyu"), None),
        ("works on pulsars by Hewish and Bell", ("Hewish", "Bell"), None),
        ("an old article by Heindel, L.E. in J. ACM", ("Heindel, L.E.",), None),
        ("papers written by de Vaucouleurs", ("de Vaucouleurs",), None),
        ("Papers by the Planck Collaboration on inflation", ("Planck Collaboration",), None),
        ("author:Riess", ("Riess",), None),
        ('author:"Riess, A" supernovae', ("Riess, A",), None),
        ("author:^Freedman", ("^Freedman",), None),
        ("Riess et al. 2022", ("^Riess",), 2022),
        ("what did Riess et al. (2022) find?", ("^Riess",), 2022),
        ("Riess, A. G. et al. 2016", ("^Riess, A. G.",), 2016),
        ("van der Marel et al. 2012 on M31", ("^van der Marel",), 2012),
        ("Navarro, Frenk & White (1997)", ("^Navarro",), 1997),
        ("Riess 2022", ("^Riess",), 2022),
        ("Planck Collaboration 2018", ("^Planck Collaboration",), 2018),
        ("what did Vera Rubin find about rotation?", ("Vera Rubin",), None),
        ("According to Zwicky, what is dark matter?", ("Zwicky",), None),
        ("Milgrom's work on MOND", ("Milgrom",), None),
        ("What did Kepler et al. propose?", ("^Kepler",), None),
        ("Edwin Hubble's papers", ("Edwin Hubble",), None),
        ("Riess' papers", ("Riess",), None),
        ("Riess papers", ("Riess",), None),
        ("the latest Riess papers on supernovae", ("Riess",), None),
        ("papers of Riess", ("Riess",), None),
        ("Hubble (1929)", ("^Hubble",), 1929),
        ("papers by Massimo della Valle on supernovae", ("Massimo della Valle",), None),
        ("papers by Luisa dos Santos", ("Luisa dos Santos",), None),
        ("papers by Adam ten Brink", ("Adam ten Brink",), None),
        ("papers by Maria de los Rios on dust", ("Maria de los Rios",), None),
        ("papers by Ana de las Heras on dust", ("Ana de las Heras",), None),
        ("papers by Eva in 't Zand on dust", ("Eva in 't Zand",), None),
        ("papers by Cosimo degli Esposti on dust", ("Cosimo degli Esposti",), None),
        ("papers by Max von und zu Stein on dust", ("Max von und zu Stein",), None),
        ("what did Peter vom Stein find?", ("Peter vom Stein",), None),
        ("papers by In 't Zand", ("In 't Zand",), None),
        ("papers by Luc d'Orsay and Omar al-Sabah", ("Luc d'Orsay", "Omar al-Sabah"), None),
        ("papers by Roe J.A. on dust", ("Roe J.A.",), None),
        ("what did van der Roe JA find?", ("van der Roe JA",), None),
        ("Paul Roe Jr.'s papers", ("Paul Roe Jr.",), None),
        ("Van der Roe et al. 2019", ("^Van der Roe",), 2019),
        ("van der roe et al. 2019", ("^van der roe",), 2019),
        ("Paul Roe III 2019", ("^Paul Roe III",), 2019),
        ("papers by Roe UV from 2019", ("Roe",), None),
    ],
)
def test_words_beside_a_name_say_that_somebody_writes(question, names, year):
    named = authors_named(question)
    assert named is not None
    assert (named.names, named.year) == (names, year)


@pytest.mark.parametrize(
    "question",
    [
        "the Hubble constant",
        "Kepler planets",
        "Chandra observations",
        "Fermi bubbles",
        "Einstein radius",
        "Planck 2018 results",
        "Planck 2018 results. VI. Cosmological parameters",
        "Gaia 2018",
        "What did Kepler find?",
        "What did Planck measure?",
        "planets discovered by Kepler",
        "results by Gaia",
        "papers by Gaia",
        "Hubble papers",
        "Planck papers",
        "White papers on telescopes",
        "Review papers on dust",
        "papers by the Hubble Space Telescope",
        "what does the Vera Rubin Observatory see?",
        "Studies of galaxies by Herschel",
        "stars detected by TESS",
        "Abell 1689",
        "NGC 2024",
        "papers by young astronomers",
        "papers by very young people on dust",
        "papers by ten authors on dust",
        "papers by exoplanet radius",
        "papers by using gaia data",
        "Population III papers",
        "Old Population III papers",
        "Seyfert II papers",
        "Mid IR papers",
        "Lyman UV papers",
        "How is light bent by Jupiter?",
        "Which papers are cited by others?",
        "Wolf-Rayet stars by mass",
    ],
)
def test_things_named_after_people_are_no_authors(question):
    assert authors_named(question) is None


def of_corpus(question: str, *authors: str) -> tuple[str, ...] | None:
    papers = [Paper(str(n), "Dust", "", authors=(author,)) for n, author in enumerate(authors)]
    table = PaperTable(pa.Table.from_batches([batch_of(papers)], schema=PAPER_SCHEMA))
    named = authors_named(question, papers=table)
    return None if named is None else named.names


@pytest.mark.parametrize(
    ("question", "listed", "name"),
    [
        ("papers by riess", "Riess, A.", "riess"),
        ("papers by mila van der roe", "van der Roe, M.", "mila van der roe"),
        ("papers by roe poe on dust", "Poe, Roe", "roe poe"),
        ("papers by Hubble", "Hubble, E.", "Hubble"),
        ("papers by da Luz Prado", "da Luz Prado, R.", "da Luz Prado"),
        ("papers by Roda y Prado on dust", "Roda y Prado, I.", "Roda y Prado"),
        ("author:O Riain", "Ó Riain, D.", "O Riain"),
        ("papers by St. Roe", "St. Roe, C.", "St. Roe"),
        ("papers by Ada deRoe Poe", "Ada deRoe Poe", "Ada deRoe Poe"),
        ("papers by A", "A, Wei", "A"),
        ("papers by Early", "Early, R.", "Early"),
        ("papers by in ’t Roe on dust", "in 't Roe, J.", "in ’t Roe"),
        ("articles by ’t Roe", "'t Roe, G.", "’t Roe"),
        ("papers by O Hara", "O'Hara, R.", "O Hara"),
        ("works on dust by POE", "Poe, E.", "POE"),
        ("papers by Le Van An since 2010", "Lê, Văn An", "Le, Van An"),
        ("papers by 李明", "李, 明", "李, 明"),
        ("papers by Roe's students", "Roe, R.", "Roe"),
    ],
)
def test_after_papers_by_the_corpus_says_what_a_name_is(question, listed, name):
    assert of_corpus(question, listed, "Nobody, N.") == (name,)


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("papers by early career astronomers", "Early, R."),
        ("papers by an observer", "An, D."),
        ("Papers by Gross features", "Gross, D."),
        ("driven by Gross features?", "Gross, D."),
        ("papers on stars by mass", "Mass, C."),
        ("papers by star formation", "Formation, S."),
        ("papers by the Hubble Space Telescope", "Hubble, E."),
        ("planets discovered by Kepler", "Kepler, J."),
        ("results by Gaia", "Gaia, R."),
        ("papers by year", "Early, R."),
    ],
)
def test_a_word_of_a_phrase_is_no_author_although_one_is_called_so(question, listed):
    assert of_corpus(question, listed) is None


def test_all_who_are_named_after_papers_by_are_found():
    authors = ("Luz Prado, R.", "Ó Riain, D.", "Poe, E.")
    assert of_corpus("papers by Luz Prado, Ó Riain and POE on dust", *authors) == ("Luz Prado", "Ó Riain", "POE")
    assert of_corpus("papers by Poe, Riain", *authors) == ("Poe",)


def test_several_phrases_are_quoted_together():
    named = authors_named("compare Riess et al. 2022 with papers by Freedman")
    assert named is not None
    assert named.words == "Riess et al. 2022 … papers by Freedman"
    assert named.description == "Riess, Freedman"


def test_a_pasted_abstract_names_no_authors():
    assert authors_named("We follow Riess et al. 2022. " + "Words of an abstract. " * 15) is None


def test_a_name_is_read_beside_a_run_of_characters_without_end():
    question = "x" * 5000 + " papers by Riess et al. 1998"
    (mention,) = mentions(question)
    assert (mention.names, question[mention.start :]) == (("^Riess",), "Riess et al. 1998")
