import datetime

import pytest

from pathfinder.answering.ads_query.check import check_ads_query
from pathfinder.answering.ads_query.query_from_question import MAX_READ, read_for_ads, write_query

TODAY = datetime.date(2024, 7, 1)


def query_for(question):
    return read_for_ads(question, TODAY).query


@pytest.mark.parametrize("capitals", ["Ab", "AB", "A. ", "A.B. ", "Aa van "])
def test_a_question_is_read_up_to_a_limit_whatever_is_repeated_in_it(capitals):
    question = f"How many papers by {capitals * 2000}"
    assert read_for_ads(question, TODAY) == read_for_ads(question[:MAX_READ], TODAY)


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
        ("papers that refer to 2005MNRAS.364.1105S", "citations(bibcode:2005MNRAS.364.1105S)"),
        ("papers whose work refers to Lee et al. 2004", 'citations(author:"^Lee" year:2004)'),
        ("papers referring to standard sirens", 'abs:"standard sirens"'),
        ("papers referring to standard sirens since 2018", 'abs:"standard sirens" year:[2018 TO *]'),
        ("what papers does Lee 2004 refer to", 'references(author:"Lee" year:2004)'),
        ("papers with both dust and gas in the abstract", 'abstract:"dust" abstract:"gas"'),
        ('with "tidal stream" or "shell" in the title', '(title:"tidal stream" OR title:"shell")'),
        ("papers with neither dust nor ice in the title on novae", 'abs:"novae" -title:"dust" -title:"ice"'),
        ("papers on novae with dust in the title", 'title:"dust" abs:"novae"'),
        ("papers that use the code ZEUS in the body", 'body:"ZEUS"'),
        ("software engineering in the title", 'title:"software engineering"'),
        ("papers by Ann Lee that she did not lead as first author", 'author:"Lee, Ann" -author:"^Lee, Ann"'),
        ("papers on novae, theses excluded", 'abs:"novae" -(doctype:phdthesis OR doctype:mastersthesis)'),
        ("papers on novae, leaving out anything by Ann Lee", 'abs:"novae" -author:"Lee, Ann"'),
        ("papers in the Leiden bibgroup", "bibgroup:Leiden"),
        ("papers by people at Leiden on comets", 'abs:"comets" inst:"Leiden"'),
        ("Find Leiden University papers on comets", 'abs:"comets" inst:"Leiden University"'),
        ("papers by Leiden Observatory people on comets", 'abs:"comets" inst:"Leiden Observatory"'),
        ("papers by Steward Observatory on comets", 'abs:"comets" inst:"Steward Observatory"'),
        ("papers by MIT researchers on comets", 'abs:"comets" inst:"MIT"'),
        ("papers with Leiden in the affiliation but not Bonn", 'aff:"Leiden" -aff:"Bonn"'),
        ("papers on M dwarfs that were never refereed", 'abs:"M dwarfs" property:notrefereed'),
        ("preprints not yet peer reviewed on axions", 'abs:"axions" doctype:eprint property:notrefereed'),
        (
            "papers by either Ann Lee or Bo Chen about novae",
            '(author:"Lee, Ann" OR author:"Chen, Bo") abs:"novae"',
        ),
        ("papers where Ann Lee is among the first three authors", 'pos(author:"Lee, Ann", 1, 3)'),
        ('papers with "nova" in the title but not "dwarf nova"', 'title:"nova" -title:"dwarf nova"'),
        ("papers with nova in the title but not about dust", 'title:"nova" -abs:"dust"'),
        ("papers like 2005MNRAS.364.1105S", "similar(bibcode:2005MNRAS.364.1105S)"),
        ("papers on novae with data in MAST", 'data:"MAST" abs:"novae"'),
        ('full text mentions of "TOPCAT"', 'full:"TOPCAT"'),
        ('papers with figure captions that mention "light curve"', 'caption:"light curve"'),
        ("solo papers by Ann Lee", 'author:"Lee, Ann" author_count:1'),
        ("What do people who work on novae read?", 'trending(abs:"novae")'),
        ("What is cited in 2005MNRAS.364.1105S?", "references(bibcode:2005MNRAS.364.1105S)"),
        ("papers by single authors about quasars", 'abs:"quasars" author_count:1'),
        ("papers of the Chandra bibliography on supernova remnants", 'bibgroup:Chandra abs:"supernova remnants"'),
        ("What experts read on dust attenuation", 'useful(abs:"dust attenuation")'),
        ("What are astronomers reading about axions?", 'trending(abs:"axions")'),
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


@pytest.mark.parametrize(
    ("question", "query"),
    [
        # Functions take what they act on, and leave outside what is asked of the papers that they find.
        ("refereed papers citing Spitzer observations", "citations(bibgroup:Spitzer) property:refereed"),
        ("what did Hubble cite", 'references(author:"Hubble")'),
        ("what are people reading about comets", 'trending(abs:"comets")'),
        ("related work on comets", 'similar(abs:"comets")'),
        ("papers in 1998 or 1999 on comets", 'abs:"comets" (year:1998 OR year:1999)'),
        ("papers with affiliation Institute for the Study of Comets", 'aff:"Institute for the Study of Comets"'),
        ("exact title the dust of the comet", '=title:"dust of the comet"'),
        ("Herschel infrared papers", "bibgroup:Herschel"),
        ("Swift gamma-ray bursts", 'bibgroup:Swift abs:"gamma-ray bursts"'),
        ("what papers cite 1502.01589?", "citations(arxiv:1502.01589)"),
        (
            "refereed papers on dust citing Draine 2003",
            'citations(author:"Draine" year:2003) abs:"dust" property:refereed',
        ),
        ("how many citations does Schmidt 1968 have", 'citations(author:"Schmidt" year:1968)'),
        ("papers similar to Peebles 1980", 'similar(author:"Peebles" year:1980)'),
        ("what does Zwicky cite", 'references(author:"Zwicky")'),
        ("review articles on comets since 2015", 'reviews(abs:"comets") year:[2015 TO *]'),
        ("papers similar to 10.1051/0004-6361/201833910", "similar(doi:10.1051/0004-6361/201833910)"),
        ("seminal papers on magnetars", 'useful(abs:"magnetars")'),
        ("what's trending in planet formation", 'trending(abs:"planet formation")'),
        ("the five most cited papers by Vera Rubin", 'topn(5, author:"Rubin, Vera", citation_count desc)'),
        ("10 most recent papers on novae", 'topn(10, abs:"novae", date desc)'),
        # Numbers mean what they say.
        ("papers with more than 100 authors", "author_count:[101 TO *]"),
        ("papers with at least 1,000 citations", "citation_count:[1000 TO *]"),
        ("papers with no more than 3 authors", "author_count:[1 TO 3]"),
        ("papers with a citation count above 100", "citation_count:[101 TO *]"),
        ("papers cited by more than 100 papers", "citation_count:[101 TO *]"),
        ("two-author papers", "author_count:2"),
        ("papers longer than 100 pages", "page_count:[101 TO *]"),
        ("papers with fewer than five pages", "page_count:[1 TO 4]"),
        ("papers cited more than 50 times", "citation_count:[51 TO *]"),
        ("single author papers on comets", 'abs:"comets" author_count:1'),
        # Values, groups, journals, places, dates.
        ("non-refereed papers on novae", 'abs:"novae" property:notrefereed'),
        ("papers in MNRAS vol. 450 page 1234", 'bibstem:"MNRAS" volume:450 page:1234'),
        ("papers in volume 10 to 20 of PASP", 'bibstem:"PASP" volume:[10 TO 20]'),
        ("papers published in January 2024 on novae", 'abs:"novae" pubdate:2024-01'),
        ("papers between March 2015 and June 2016", "pubdate:[2015-03 TO 2016-06]"),
        ("papers from 1998 on supernovae", 'abs:"supernovae" year:1998'),
        ("papers by researchers at the University of Arizona", 'inst:"University of Arizona"'),
        ("papers on NGC 1068", '(object:"NGC 1068" OR abs:"NGC 1068")'),
        ('papers with "weak lensing" in the title', 'title:"weak lensing"'),
        ("papers with keyword accretion", 'keyword:"accretion"'),
        ("papers in Nature or Science", '(bibstem:"Natur" OR bibstem:"Sci")'),
        ("papers in ApJ and MNRAS on bars", 'abs:"bars" (bibstem:"ApJ" OR bibstem:"MNRAS")'),
        ("papers in Annual Review of Astronomy and Astrophysics", 'bibstem:"ARA&A"'),
        ("ApJ, 500, 525", 'bibstem:"ApJ" volume:500 page:525'),
        ("papers from the 1990s on comets", 'abs:"comets" year:1990-1999'),
        ("papers from 12 June 2011", "pubdate:2011-06-12"),
        ("papers published on 2020-05-17", "pubdate:2020-05-17"),
        ("papers in French about comets", 'abs:"comets" lang:french'),
        ("papers from Japan on solar flares", 'abs:"solar flares" aff:"Japan"'),
        (
            "papers from the University of California, Davis on dust",
            'abs:"dust" inst:"University of California, Davis"',
        ),
        ("papers supported by NSF grant 0607435", 'grant:"0607435"'),
        ("papers available on arXiv", "property:eprint_openaccess"),
        ("theses about dark energy", 'abs:"dark energy" (doctype:phdthesis OR doctype:mastersthesis)'),
        ("papers by Lyman Spitzer", 'author:"Spitzer, Lyman"'),
        ("papers edited by John Kormendy", 'editor:"Kormendy, John"'),
        ("papers where Kormendy is first author", 'author:"^Kormendy"'),
        ("papers by Geller, M. J. or Huchra, J. P.", '(author:"Geller, M. J." OR author:"Huchra, J. P.")'),
        ('papers with author:"Rubin, V" and year:[1970 TO 1980]', 'author:"Rubin, V" year:[1970 TO 1980]'),
        # And, or, not.
        ("papers by Rubin and Ford", 'author:"Rubin" author:"Ford"'),
        ("papers by Rubin or Ford on spirals", '(author:"Rubin" OR author:"Ford") abs:"spirals"'),
        ("ALMA observations of disks not published in ApJ", 'bibgroup:ALMA abs:"disks" -bibstem:"ApJ"'),
        ("papers on dust, gas or ice", '(abs:"dust" OR abs:"gas" OR abs:"ice")'),
        ("papers on dust not in Nature or Science", 'abs:"dust" -bibstem:"Natur" -bibstem:"Sci"'),
        ("papers by Sandage but not Tammann", 'author:"Sandage" -author:"Tammann"'),
        ("papers about clusters but not X-ray", 'abs:"clusters" -abs:"X-ray"'),
        # Topics are no functions.
        ("citing patterns in galaxy evolution", 'abs:"citing patterns" abs:"galaxy evolution"'),
        ("hot stars", 'abs:"hot stars"'),
        ("Kepler's laws", 'abs:"Kepler\'s laws"'),
        ("Einstein's equations", 'abs:"Einstein\'s equations"'),
        ("circular orbits", 'abs:"circular orbits"'),
        ("gas that is hot in clusters", 'abs:"gas" abs:"hot" abs:"clusters"'),
        ("galaxies similar to the Milky Way", 'abs:"galaxies similar" abs:"Milky Way"'),
        ("the early universe", 'abs:"early universe"'),
        ("Crab Nebula", 'abs:"Crab Nebula"'),
        # Only noun phrases are topics.
        ("so what has lately come out about Sgr A* flares?", 'abs:"Sgr A* flares"'),
        ("who measured tidally locked planets and wondered why?", 'abs:"tidally locked planets"'),
        ("they say that the accelerating universe then went on", 'abs:"accelerating universe"'),
        ("could you dig up something on H-alpha emitters for me", 'abs:"H-alpha emitters"'),
        ("I'd love to know how big magnetars near Sgr A* are", 'abs:"magnetars" abs:"Sgr A*"'),
        ("the quality of open access", 'abs:"quality" abs:"open access"'),
        # Authors are named with verbs, too, and by their place.
        ("whatever Nancy Roman wrote on stellar motions", 'author:"Roman, Nancy" abs:"stellar motions"'),
        ("papers Geoff Marcy and Paul Butler both signed", 'author:"Marcy, Geoff" author:"Butler, Paul"'),
        ("papers with Jill Tarter among the authors", 'author:"Tarter, Jill"'),
        ("papers on which Martin Rees comes second in the author list", 'pos(author:"Rees, Martin", 2)'),
        ("works by Rubin with Kent Ford as last author", 'author:"Rubin" pos(author:"Ford, Kent", -1)'),
        ("papers on the Crab Nebula published in 2019", 'abs:"Crab Nebula" year:2019'),
        # Dates without a preposition, in words, and with open ends.
        ("comets, 2010 through 2019", 'abs:"comets" year:2010-2019'),
        ("novae of the seventies", 'abs:"novae" year:1970-1979'),
        ("novae from 3 to 9 April 2022", 'abs:"novae" pubdate:[2022-04-03 TO 2022-04-09]'),
        ("kilonovae, August 2017 or later, in Nature", 'abs:"kilonovae" bibstem:"Natur" pubdate:[2017-08 TO *]'),
        ("papers on novae added to ADS in May 2024", 'abs:"novae" entry_date:2024-05'),
        ("papers on novae before January 2011", 'abs:"novae" pubdate:[* TO 2010-12]'),
        ("papers on novae after 28 February 2012", 'abs:"novae" pubdate:[2012-02-29 TO *]'),
        ("papers on which Rubin is not the first author", 'author:"Rubin" -author:"^Rubin"'),
        ("papers on dwarf galaxies which appeared in 2016", 'abs:"dwarf galaxies" year:2016'),
        ("papers about the comet which appeared in 2016", 'abs:"comet" year:[2016 TO *]'),
        ("novae in more than 2 and at most 6 pages", 'abs:"novae" page_count:[3 TO 6]'),
        ("novae cited at least 10 but fewer than 50 times", 'abs:"novae" citation_count:[10 TO 49]'),
        ("papers on novae from institutions in Chile", 'abs:"novae" aff:"Chile"'),
        # No paper is two papers.
        ("1502.01589 and 1602.03837", "(arxiv:1502.01589 OR arxiv:1602.03837)"),
        ("papers citing 1502.01589 and 1602.03837", "citations(arxiv:1502.01589) citations(arxiv:1602.03837)"),
        ("papers citing 1502.01589 or 1602.03837", "citations((arxiv:1502.01589 OR arxiv:1602.03837))"),
        # What is asked of the papers stays outside a function; an identifier needs no description.
        (
            "papers that cite 1502.01589, came out in MNRAS and are refereed",
            'citations(arxiv:1502.01589) bibstem:"MNRAS" property:refereed',
        ),
        ("papers cited by refereed ALMA papers", "references(bibgroup:ALMA property:refereed)"),
        ("Which paper is the preprint with the number 1602.03837?", "arxiv:1602.03837"),
        # Exclusions; a question may ask why something is missing.
        ("asteroids without any mention of comets", 'abs:"asteroids" -abs:"comets"'),
        ("star formation, but none with Orion in the title", 'abs:"star formation" -title:"Orion"'),
        ("surveys of galaxies, leaving out those by Geller", 'abs:"surveys" abs:"galaxies" -author:"Geller"'),
        ("papers by Rubin where she is not the first author", 'author:"Rubin" -author:"^Rubin"'),
        ("papers with Rubin as first author", 'author:"^Rubin"'),
        ("papers on rings that are not on the arXiv", 'abs:"rings" -property:eprint_openaccess'),
        ("how can galaxies exist without dark matter?", 'abs:"galaxies" abs:"dark matter"'),
    ],
)
def test_the_vocabulary_of_ads_is_read(question, query):
    assert query_for(question) == query
    assert check_ads_query(query).faults == ()


@pytest.mark.parametrize(
    ("question", "unread"),
    [("highly cited papers on comets", ("highly cited",)), ("trending papers", ("trending",)), ("dust", ())],
)
def test_what_is_not_part_of_the_query_is_said(question, unread):
    assert read_for_ads(question, TODAY).unread == unread


def test_a_part_can_be_taken_away():
    reading = read_for_ads("refereed papers citing Spitzer observations", TODAY)
    spitzer, refereed = sorted(reading.parts, key=lambda part: not part.is_inner)
    assert write_query((spitzer,), reading.operator) == "citations(bibgroup:Spitzer)"
    assert write_query((refereed,), reading.operator) == "property:refereed"
    assert write_query((), reading.operator) is None


def test_the_rest_stays_as_it_was_if_one_alternative_is_taken_away():
    reading = read_for_ads("refereed papers on gas or dust", TODAY)
    assert reading.query == '(abs:"gas" OR abs:"dust") property:refereed'
    assert write_query(reading.parts[1:], None) == 'abs:"dust" property:refereed'


def test_nothing_of_a_question_leaves_its_quotes():
    query = query_for('papers about "dust" OR author:"x" and \\ gas')
    assert query is not None
    assert query.count('"') % 2 == 0
    assert check_ads_query(query).faults == ()


@pytest.mark.parametrize("question", ["How many papers from Gaia were refereed?", "How many papers from Europe?"])
def test_a_telescope_or_a_place_is_no_author(question):
    assert "author" not in (query_for(question) or "")
