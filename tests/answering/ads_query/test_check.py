import datetime
import re
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
    ("", []),
    (" ", []),
    ("abs:“dark energy”", [5, 17]),
    ("bibcode:2020ApJ", [9]),
    ("bibcode:2003AJ....125..525J99", [9]),
    ("year:2010-", [6]),
    ("year:>2010", [6]),
    ("year:-2004", [1]),
    ("year:2023-2010", [6]),
    ("year:[2023 TO 2010]", [6]),
    ("year:twenty", [6]),
    ("year:20100", [6]),
    ("pubdate:2010/05", [9]),
    ("pubdate:[2010-13 TO *]", [9]),
    ("pubdate:2010-02-31", [9]),
    ("pubdate:[2010-02-30 TO *]", [9]),
    ("year:²⁰¹⁰", [6]),
    ("year:1٠10", [6]),
    ("year:[20?? TO 2020]", [6]),
    ("year:[NOW-5YEARS TO *]", [6]),
    ('author:"Rubin, V"&sort=date desc', [18]),
    ('abs:"x" fl=bibcode', [9]),
    ("abs::x", [5]),
    ('abs:"x":y', [8]),
    ('abs:"x" NOT NOT abs:"y"', [9]),
    ("abs:x AND NOT NOT abs:y", [11]),
    ("abs:'dark energy'", [5]),
    ("abs:‘x’", [5]),
    ("abs:`x`", [5]),
    ("abs:x\u200b", [6]),
    ("citation_count:>100", [16]),
    ("citation_count:<=10", [16]),
    ("citation_count:10-20", [16]),
    ("citation_count:many", [16]),
    ("citation_count:[10 to *]", [16]),
    ("citation_count:[100 TO 10]", [16]),
    ("[10 TO *]", [1]),
    ("title:[1 TO 3]", [7]),
    ("author:Huchra, J", [14]),
    ("author:(Huchra, J)", [15]),
    ("topn(10,)", [8]),
    ("abs:title:x", [1]),
    ("-AND x", [1]),
    ('author:"J. Huchra"', [8]),
    ('author:"Huchra^"', [8]),
    ('autor:"Huchra"', [1]),
    ("colour:red", [1]),
    ("author:", [1]),
    ('author: "x"', [1]),
    ('abs:""', [5]),
    ("abs:-x", [1]),
    ("abs:(title:x)", [6]),
    ('abs:"a', [5]),
    ("abs:(a OR b", [5]),
    ("abs:a)", [6]),
    ("()", [2]),
    ("(" * 30 + "a" + ")" * 30, [21]),
    ("a OR", [3]),
    ("AND b", [1]),
    ("a AND OR b", [3]),
    ("a and b", [3]),
    ("a && b", [3]),
    ("-title:x", [1]),
    ("a, b", [2]),
    ("citations()", [11]),
    ("citations(abs:x, 5)", [1]),
    ("cites(author:x)", [1]),
    ("citation(author:x)", [1]),
    ("topn(abs:x)", [1]),
    ("topn(10, abs:x, relevance)", [1]),
    ("pos(author:x)", [1]),
    ("property:peer", [10]),
    ("doctype:paper", [9]),
    ("database:astro", [10]),
    ("doi:1234", [5]),
    ("arxiv:12", [7]),
    ("orcid:12", [7]),
    ("identifier:hubble", [12]),
    ("a " * 1500, []),
]


@pytest.mark.parametrize(("query", "places"), FAULTY_QUERIES)
def test_a_fault_is_told_with_its_place_and_the_way_out(query, places):
    ads_query = check_ads_query(query)
    assert ads_query.link is None
    assert [int(fault.split()[1].strip(":")) for fault in ads_query.faults if fault.startswith("character")] == places
    assert ads_query.faults
    assert all(re.search("[:,] ", fault.partition(": ")[2] if places else fault) for fault in ads_query.faults)


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
        ("papers on dust between 2010 and 2015", "abs:dust pubdate:2010-2015", "is not a valid pubdate"),
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
    "query",
    [
        "citation_count>100",
        "year:2010 TO 2015",
        "abs:x ~ y",
        "abs:x sort by date",
        "abs:x ORDER BY date",
        "SELECT papers",
        "I am sorry but I cannot write this query for you",
        "I cannot help with that request.",
        "I can't help.",
        "Sorry no.",
        "Ich kann dabei nicht helfen.",
        "それはできません。",
        "Counting is not possible",
        'You could try abs:"dark energy"',
    ],
)
def test_words_of_other_languages_are_no_query(query):
    ads_query = check_ads_query(query)
    assert ads_query.link is None
    assert ads_query.faults


def test_the_papers_of_a_library_may_be_named():
    assert check_ads_query("docs(library/hHGU1Ef-TpacAhicI3J8kQ)").faults == ()
