import datetime

import pytest

from pathfinder.answering.ads_query.check import check_ads_query
from pathfinder.answering.ads_query.rules import query_by_rules
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.retrieval.lookup.question import question_keywords
from pathfinder.types import Keyword, SearchRequest

EXTRACTOR = KeywordExtractor.load()


def query_for(question):
    request = SearchRequest(question, today=datetime.date(2024, 7, 1))
    return query_by_rules(request, question_keywords(request, EXTRACTOR, request.query)[0])


@pytest.mark.parametrize("capitals", ["Ab", "A. ", "A.B. ", "Aa van "])
def test_capitals_without_end_are_read_in_no_more_than_a_moment(capitals):
    query_for(f"How many papers by {capitals * 200}")


@pytest.mark.parametrize("question", ["How many authors are there?", "How many papers?", "Count all publications"])
def test_a_question_that_names_nothing_has_no_query(question):
    assert query_for(question) is None


@pytest.mark.parametrize(
    ("question", "query"),
    [
        (
            "How many papers on dark matter in dwarf galaxies were published between 2010 and 2023?",
            'abs:"dark matter" abs:"dwarf galaxies" year:2010-2023',
        ),
        ("How many papers has Vera Rubin written?", 'author:"Rubin, Vera"'),
        (
            "How many refereed papers by Pieter van Dokkum on ultra-diffuse galaxies since 2015?",
            'author:"van Dokkum, Pieter" abs:"ultra-diffuse galaxies" year:[2015 TO *] property:refereed',
        ),
        (
            "What are the most cited papers on the Hubble tension?",
            'topn(10, abs:"Hubble tension", citation_count desc)',
        ),
        ("Which 5 most cited papers by A. Riess?", 'topn(5, author:"Riess, A.", citation_count desc)'),
        ("How many papers cite Riess et al. 2016?", 'citations(author:"^Riess" year:2016)'),
        ("How many papers cite Riess, et al. (2016)?", 'citations(author:"^Riess" year:2016)'),
        (
            "How often has Planck Collaboration 2018 been cited?",
            'citations(author:"Planck Collaboration" year:2018)',
        ),
        (
            "List all first-author papers by Adam Riess in ApJ after 2018",
            'author:"^Riess, Adam" bibstem:"ApJ" year:[2019 TO *]',
        ),
        ("Number of papers on fast radio bursts in Nature", 'abs:"fast radio bursts" bibstem:"Natur"'),
        ("How many PhD theses are about exoplanet atmospheres?", 'abs:"exoplanet atmospheres" doctype:phdthesis'),
        ("How many papers did the Planck Collaboration publish?", 'author:"Planck Collaboration"'),
        ("How many papers by Massimo della Valle?", 'author:"della Valle, Massimo"'),
        ("How many papers by Luisa dos Santos?", 'author:"dos Santos, Luisa"'),
        ("How many papers by Adam ten Brink?", 'author:"ten Brink, Adam"'),
        ("How many papers by Maria de los Rios?", 'author:"de los Rios, Maria"'),
        ("How many papers by Ana de las Heras?", 'author:"de las Heras, Ana"'),
        ("How many papers by Eva in 't Zand?", 'author:"in \'t Zand, Eva"'),
        ("How many papers by Cosimo degli Esposti?", 'author:"degli Esposti, Cosimo"'),
        ("How many papers has Peter vom Stein written?", 'author:"vom Stein, Peter"'),
        ("How many papers by van Dokkum?", 'author:"van Dokkum"'),
        ("How many papers by Di Matteo?", 'author:"Di Matteo"'),
    ],
)
def test_a_question_is_put_as_ads_asks_for_it(question, query):
    assert query_for(question) == query
    assert check_ads_query(query).faults == ()


def test_nothing_of_a_keyword_leaves_its_quotes():
    hostile = Keyword('dust" OR author:"x', is_given=True)
    query = query_by_rules(SearchRequest("How many papers?"), [hostile])
    assert query == 'abs:"dust OR author: x"'
    assert check_ads_query(query).faults == ()


@pytest.mark.parametrize("question", ["How many papers from Gaia were refereed?", "How many papers from Europe?"])
def test_a_telescope_or_a_place_is_no_author(question):
    assert "author" not in (query_for(question) or "")
