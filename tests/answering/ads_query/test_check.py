import datetime
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.answering.ads_query.check import check_ads_query
from pathfinder.retrieval.years.in_questions import years_named

TODAY = datetime.date(2024, 7, 1)

VALID = """
author:"huchra, john"
author:"^huchra, john"
^huchra, john
first_author:"Riess, A"
=author:"murray, s"
author:("accomazzi, a." "kurtz, m.")
author:"Planck Collaboration"
author:"huchra, j" -title:2mass
author:"huchra, j" NOT title:2mass
abs:"dark energy"
abstract:(QSO OR "dark energy")
body:"gravitational waves" full:lensing
title:(=star -STAR)
title:galax* year:201*
title:(dark NEAR5 matter)
"dark matter"~3
aff:(China OR "Hong Kong" -Taiwan)
object:((SMC OR LMC) AND M31)
object:"05h23m34.6s -69d45m22s:0.1667"
year:2000
year:2000-2005
year:[2010 TO *]
pubdate:[2005-10 TO 2006-09]
pubdate:[2020-01 TO NOW]
pubdate:2008-02-29
pubdate:2008-00-00
year:["2020" TO "2024"]
entdate:["NOW-7DAYS" TO NOW]
date:[2015-06-30T00:00:00Z TO *]
author:"O'Brien, P"
author:O’Brien
abs:"what is dark energy"
dark matter in galaxies
abs:"dark energy" cosmology of the universe
*:*
entdate:[NOW-7DAYS TO *]
citation_count:[10 TO *]
author_count:40
bibcode:2003AJ....125..525J
bibcode:2000A&AS..143...41K
bibcode:2020ApJ*
bibstem:A&A
doi:10.1086/345794
arXiv:1108.0669
arxiv:astro-ph/0601001
identifier:arXiv:1108.0669
arxiv_class:"High Energy Physics - Experiment"
orcid:0000-0002-1825-0097
property:refereed doctype:phdthesis database:astronomy
data:*
citations(author:"huchra, john")
citations(bibcode:2006SSRv..123..485G) OR abstract:(Webb OR JWST)
references(bibcode:2003AJ....125..525J)
reviews(title:"monte carlo")
trending(abs:exoplanet) property:refereed
useful("dark matter")
similar(bibcode:2000A&AS..143...41K)
similar("hubble space telescope", input)
similar(title:hubble^2, abstract, 100)
similar("weak lensing" -entdate:[NOW-7DAYS TO *]) entdate:[NOW-7DAYS TO *] bibstem:"arXiv"
topn(200, citations(title:hubble), citation_count desc)
topn(10, abs:"dark energy")
pos(author:accomazzi, 1, 5)
pos(author:accomazzi, -1)
fuse
""".strip().splitlines()

FAULTY_QUERIES = [
    ("", "the query is empty"),
    (" ", "the query is empty"),
    ("abs:“dark energy”", "character 5: “ is a curly quote: use straight quotes"),
    ("abs:“dark energy”", "character 17: ” is a curly quote"),
    (
        "bibcode:2020ApJ",
        "character 9: 2020ApJ has 7 of a bibcode's 19 characters: write all of them, or bibcode:2020ApJ*",
    ),
    ("bibcode:2003AJ....125..525J99", "character 9: 2003AJ....125..525J99 is not a bibcode"),
    ("year:2010-", "character 6: 2010- is neither a year nor a range of years: write year:[2010 TO *]"),
    ("year:>2010", "write year:[2010 TO *]"),
    ("year:-2004", "write year:[* TO 2004]"),
    ("year:2023-2010", "the years 2023-2010 run backwards: write year:2010-2023"),
    ("year:[2023 TO 2010]", "the range 2023 to 2010 runs backwards: write year:[2010 TO 2023]"),
    ("year:twenty", "twenty is neither a year"),
    ("year:20100", "20100 is neither a year"),
    ("pubdate:2010/05", "2010/05 is not a date"),
    ("pubdate:[2010-13 TO *]", "2010-13 cannot begin or end a range of pubdate"),
    ("pubdate:2010-02-31", "2010-02-31 is not a date"),
    ("pubdate:[2010-02-30 TO *]", "2010-02-30 cannot begin or end a range of pubdate"),
    ("year:²⁰¹⁰", "²⁰¹⁰ is neither a year"),
    ("year:1٠10", "is neither a year"),
    ("year:[20?? TO 2020]", "20?? cannot begin or end a range of year"),
    ("year:[NOW-5YEARS TO *]", "NOW-5YEARS cannot begin or end a range of year"),
    ('author:"Rubin, V"&sort=date desc', "belongs to a web address"),
    ('abs:"x" fl=bibcode', "fl=bibcode belongs to a web address"),
    ("abs::x", "a colon separates a field from its value"),
    ('abs:"x":y', "a colon separates a field from its value"),
    ('abs:"x" NOT NOT abs:"y"', "NOT NOT are two operators in a row"),
    ("abs:x AND NOT NOT abs:y", "NOT NOT are two operators in a row"),
    ("abs:'dark energy'", "is not a quotation mark in ADS: use straight double quotes"),
    ("abs:‘x’", "is not a quotation mark in ADS: use straight double quotes"),
    ("abs:`x`", "is not a quotation mark in ADS: use straight double quotes"),
    ("abs:x\u200b", "invisible character"),
    ("citation_count:>100", "ADS does not know >: write citation_count:[101 TO *]"),
    ("citation_count:<=10", "write citation_count:[0 TO 10]"),
    ("citation_count:10-20", "write citation_count:[10 TO 20]"),
    ("citation_count:many", "many is not a number"),
    (
        "citation_count:[10 to *]",
        "write both ends in square brackets, separated by TO in capitals, as in citation_count:[10 TO *]",
    ),
    ("citation_count:[100 TO 10]", "runs backwards"),
    ("[10 TO *]", "a range without a field: put one before it"),
    ("title:[1 TO 3]", "title contains words, not ranges"),
    ("author:Huchra, J", 'a name with a comma needs straight quotes: write author:"Huchra, J"'),
    ("author:(Huchra, J)", 'a name with a comma needs straight quotes: write author:"Huchra, J"'),
    ("topn(10,)", "character 9: there is nothing to search for"),
    ("abs:title:x", "character 1: abs: has no value"),
    ("-AND x", "AND has nothing before it"),
    ('author:"J. Huchra"', 'ADS expects the last name first: write author:"Huchra, J."'),
    ('author:"Huchra^"', "belongs before the last name"),
    ('autor:"Huchra"', "character 1: ADS has no field autor: did you mean author?"),
    ("colour:red", "ADS has no field colour: search in abs"),
    ("author:", "author: has no value"),
    ('author: "x"', "add one directly after the colon, without a space"),
    ('abs:""', "these quotation marks are empty"),
    ("abs:-x", "put the minus sign before the field: write -abs:"),
    ("abs:(title:x)", "title: is inside abs:(...)"),
    ('abs:"a', "character 5: this quotation mark is never closed"),
    ("abs:(a OR b", "character 5: this parenthesis is never closed"),
    ("abs:a)", "character 6: this closing parenthesis has no match"),
    ("()", "there is nothing to search for"),
    ("(" * 30 + "a" + ")" * 30, "nested more than 20 deep"),
    ("a OR", "OR has nothing after it"),
    ("AND b", "AND has nothing before it"),
    ("a AND OR b", "AND OR are two operators in a row"),
    ("a and b", "ADS does not know the operator and: write AND"),
    ("a && b", "ADS does not know the operator &&: write AND"),
    ("-title:x", "this only excludes"),
    ("a, b", "a comma does not separate terms"),
    ("citations()", "citations() has no query"),
    ("citations(abs:x, 5)", "citations() takes a single query: remove 5"),
    ("cites(author:x)", "ADS has no function cites()"),
    ("citation(author:x)", "did you mean citations?"),
    ("topn(abs:x)", "topn() takes a number first, then a query"),
    ("topn(10, abs:x, relevance)", "topn() cannot sort by 'relevance'"),
    ("pos(author:x)", "pos() takes a field and one or two positions"),
    ("property:peer", "ADS does not know the property peer"),
    ("doctype:paper", "ADS does not know the doctype paper"),
    ("database:astro", "ADS does not know the database astro"),
    ("doi:1234", "1234 is not a DOI"),
    ("arxiv:12", "12 is not an arXiv id"),
    ("orcid:12", "12 is not an ORCID"),
    ("identifier:hubble", "hubble is not a bibcode, DOI or arXiv id"),
    ("a " * 1500, "at most 2,000 are allowed: shorten it"),
]


@pytest.mark.parametrize(("query", "message"), FAULTY_QUERIES)
def test_a_fault_is_told_with_its_place_and_the_way_out(query, message):
    ads_query = check_ads_query(query)
    assert ads_query.link is None
    assert message in " / ".join(ads_query.faults)


@pytest.mark.parametrize("query", VALID)
def test_what_the_help_of_ads_writes_is_taken(query):
    assert check_ads_query(query).faults == ()


def test_the_link_holds_the_whole_query_and_nothing_of_it_acts_on_the_address():
    query = 'author:"^Riess, A" year:2010-2023 abs:"H&K #1" bibstem:A&A'
    link = check_ads_query(query).link
    address, encoded_query = link.split("/search/q=")
    assert address == "https://ui.adsabs.harvard.edu"
    assert unquote(encoded_query) == query
    assert not set(encoded_query) & set('/?&#" ^:')


def test_every_fault_of_a_query_is_told_in_order():
    faults = check_ads_query('autor:x AND year:2010- abs:"open').faults
    assert [fault.partition(":")[0] for fault in faults] == ["character 1", "character 18", "character 28"]


def test_line_breaks_of_a_model_are_spaces():
    assert check_ads_query("abs:dust\n  year:2010").query == "abs:dust year:2010"


@pytest.mark.parametrize(
    ("question", "query", "message"),
    [
        ("papers on dust from 2010 to 2023", "abs:dust year:2010-2024", "write year:2010-2023"),
        ("papers on dust from 2010 to 2023", "abs:dust", "but the query covers all years: add year:2010-2023"),
        ("papers on dust after 2015", "abs:dust year:[2014 TO *]", "write year:[2016 TO *]"),
        ("papers on dust after 2015", "abs:dust pubdate:[NOW-10YEARS TO NOW]", "write year:[2016 TO *]"),
        ("papers on dust after 2015", "abs:dust pubdate:[NOW TO *]", "write year:[2016 TO *]"),
        ("papers on dust after 2015", "abs:dust year:[2016 TO 20?\u200b?]", "cannot begin or end a range"),
        ("papers on dust between 2010 and 2015", "abs:dust pubdate:[2010-06 TO 2015-02]", "write year:2010-2015"),
        ("papers on dust between 2010 and 2015", "abs:dust pubdate:[2010-01 TO 2015-02]", "write year:2010-2015"),
        ("papers on dust between 2010 and 2015", "abs:dust pubdate:[2010-01-02 TO 2015]", "write year:2010-2015"),
        ("papers on dust between 2010 and 2015", "abs:dust pubdate:2010-2015", "is not a date"),
    ],
)
def test_a_query_for_other_years_than_the_questions_is_at_fault(question, query, message):
    ads_query = check_ads_query(query, years_named(question, None), TODAY)
    assert ads_query.link is None
    assert message in " / ".join(ads_query.faults)


@pytest.mark.parametrize(
    "value",
    """
    pubdate:[2020-01 TO NOW] pubdate:[NOW-5YEARS TO NOW] year:[2020 TO NOW] year:[20?? TO 2020] year:["2020" TO "2024"]
    year:²⁰¹⁰ year:[* TO *] year:[TO] year:[²⁰¹⁰ TO *] pubdate:[NOW-99999YEARS TO NOW] pubdate:[NOW+9YEARS TO *]
    year:[] year:{} year:[? TO ?] year:-- year:- pubdate:2020-00-00 year:20?? year:[0000 TO 9999] pubdate:NOW
    pubdate:[NOW-999999999999999999999999MONTHS TO NOW]
    """.replace(" TO ", "~").split(),
)
@pytest.mark.parametrize("today", [None, TODAY])
def test_whatever_years_a_model_writes_none_breaks_the_check(value, today):
    query = f"abs:dust {value.replace('~', ' TO ')}"
    ads_query = check_ads_query(query, years_named("papers on dust since 2020", None), today)
    assert (ads_query.link is None) == bool(ads_query.faults)


@given(st.text(alphabet='0129?*-[]{}TONWYEARS "²٠', max_size=24))
def test_no_value_of_a_year_breaks_the_check(value):
    ads_query = check_ads_query(f"abs:dust pubdate:{value} year:{value}", years_named("dust since 2020?", None), TODAY)
    assert (ads_query.link is None) == bool(ads_query.faults)


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("papers on dust from 2010 to 2023", "abs:dust year:2010-2023"),
        ("papers on dust from 2010 to 2023", "abs:dust pubdate:[2010-01 TO 2023-12]"),
        ("papers on dust after 2015", "abs:dust year:[2016 TO *]"),
        ("papers on dust in 2015", "abs:dust year:2015"),
        ("papers on dust since 2020", "abs:dust pubdate:[2020-01 TO NOW]"),
        ("papers on dust since 2020", "abs:dust pubdate:[2020-01-01 TO *]"),
        ("papers on dust since 2020", 'abs:dust year:["2020" TO *]'),
        ("papers on dust since 2020", "abs:dust pubdate:[2020-00 TO NOW+1YEAR]"),
        ("papers on dust since March 2020", "abs:dust pubdate:[2020-03 TO *]"),
        ("papers on dust from 2010 to 2023", "abs:dust pubdate:[2010-01-01 TO 2023-12-31]"),
        ("papers on dust since 2019", "abs:dust pubdate:[NOW-5YEARS TO NOW]"),
        ("papers on dust since 2020", "abs:dust pubdate:[NOW-5YEARS TO NOW]"),
        ("papers on dust", "abs:dust year:2010-2023"),
    ],
)
def test_a_query_for_the_questions_years_is_not(question, query):
    assert check_ads_query(query, years_named(question, None), TODAY).faults == ()


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("citation_count>100", "does not support comparisons"),
        ("year:2010 TO 2015", "TO cannot stand alone"),
        ("abs:x ~ y", "~ cannot stand alone"),
        ("abs:x sort by date", "have no sort"),
        ("abs:x ORDER BY date", "have no ORDER"),
        ("SELECT papers", "have no SELECT"),
        ("I am sorry but I cannot write this query for you", "without a field"),
        ("I cannot help with that request.", "not a sentence"),
        ("I can't help.", "not a sentence"),
        ("Sorry no.", "not a sentence"),
        ("Ich kann dabei nicht helfen.", "not a sentence"),
        ("それはできません。", "not a sentence"),
        ("Counting is not possible", "not a sentence"),
        ('You could try abs:"dark energy"', "not a sentence"),
    ],
)
def test_words_of_other_languages_are_no_query(query, message):
    ads_query = check_ads_query(query)
    assert ads_query.link is None
    assert any(message in fault for fault in ads_query.faults)


def test_the_papers_of_a_library_may_be_named():
    assert check_ads_query("docs(library/hHGU1Ef-TpacAhicI3J8kQ)").faults == ()
