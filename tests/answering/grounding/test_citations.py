import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.answering.grounding.citations import check_citations, number_citations
from pathfinder.answering.grounding.marks import renumber, shown_marks, shown_numbers, without_own_marks
from pathfinder.answering.grounding.sources import CitationRegistry
from pathfinder.types import Claim, Paper
from tests.answering.results import with_keys

REGISTRY = CitationRegistry(
    "How do stars form?", tuple(Paper(name, name.title(), "x") for name in ("one", "two", "three"))
)
ONE_KEY, TWO, THREE = (REGISTRY.key(name) for name in ("one", "two", "three"))


def check_reply(reply):
    return check_citations(with_keys(reply, REGISTRY), REGISTRY)


@pytest.mark.parametrize(
    ("reply", "text", "paper_ids"),
    [
        ("Stars form [@one].", "Stars form [1].", ("one",)),
        ("Stars form. [@one]", "Stars form. [1]", ("one",)),
        ("Stars form [@one, @two].", "Stars form [1, 2].", ("one", "two")),
        ("Stars form [@three; @one].", "Stars form [3, 1].", ("three", "one")),
        ("Stars form [@one][@three].", "Stars form [1][3].", ("one", "three")),
        ("Stars form [@one and @two].", "Stars form [1, 2].", ("one", "two")),
        ("Stars form [@one, @one].", "Stars form [1].", ("one",)),
        ("Stars form [Source @two].", "Stars form [2].", ("two",)),
        ('Stars form [key="@two"].', "Stars form [2].", ("two",)),
        ("Stars form 【@two】.", "Stars form [2].", ("two",)),
        ("Stars form (@two).", "Stars form ([2]).", ("two",)),
        ("Stars [@two] form [@one] [@two].", "Stars [2] form [1] [2].", ("two", "one")),
        ("Stars form.", "Stars form.", ()),
    ],
)
def test_a_key_becomes_the_place_of_its_paper(reply, text, paper_ids):
    citations = check_reply(reply)
    assert citations.text == text
    assert citations.claims == (Claim("Stars form.", paper_ids),)
    assert citations.invented_marks == ()


def test_a_key_is_read_in_capitals_too():
    assert check_citations(f"Stars [{ONE_KEY.upper()}].", REGISTRY).claims == (Claim("Stars.", ("one",)),)


@pytest.mark.parametrize(
    ("reply", "text", "paper_ids", "invented_marks"),
    [
        ("Stars form [z9z9z].", "Stars form [z9z9z?].", (), ("z9z9z",)),
        ("Stars form [@one, z9z9z].", "Stars form [1, z9z9z?].", ("one",), ("z9z9z",)),
        ("Stars form [7].", "Stars form [7?].", (), ("7",)),
        ("Stars form [1\u200b].", "Stars form [1?].", (), ("1",)),
        ("Stars form ［1］.", "Stars form [1?].", (), ("1",)),
        ("Stars form 【1†source】.", "Stars form [1?].", (), ("1",)),
        ("Stars form [1].", "Stars form [1?].", (), ("1",)),
        ("Stars form [@two, 1].", "Stars form [2, 1?].", ("two",), ("1",)),
        ("Stars form [2-5].", "Stars form [2?, 5?].", (), ("2", "5")),
        ("Stars form [^2] [Ref. 4].", "Stars form [2?] [4?].", (), ("2", "4")),
    ],
)
def test_what_was_never_given_is_no_citation_and_shown_as_invented(reply, text, paper_ids, invented_marks):
    citations = check_reply(reply)
    assert citations.text == text
    assert citations.invented_marks == invented_marks
    assert citations.claims == (Claim("Stars form.", paper_ids),)


@pytest.mark.parametrize(
    ("citation", "expected", "invented_marks"),
    [
        ("[z9y8x, p. 5]", "[z9y8x?]", "z9y8x"),
        ("[source: z9y8x, p. 5]", "[z9y8x?]", "z9y8x"),
        ("(z9y8x)", "([z9y8x?])", "z9y8x"),
        ("z9y8x", "[z9y8x?]", "z9y8x"),
        ("[3, p. 12]", "[3?]", "3"),
        ("[3, pp. 12-14]", "[3?]", "3"),
        ("[3, Fig. 2]", "[3?]", "3"),
        ("[doc 3]", "[3?]", "3"),
        ("[Document 3]", "[3?]", "3"),
        ("[Abstract 2]", "[2?]", "2"),
        ("[see paper #4]", "[4?]", "4"),
        ("[S3]", "[S3?]", "S3"),
        ("[1a]", "[1a?]", "1a"),
        ("[³]", "[3?]", "3"),
        ("[①]", "[1?]", "1"),
        ("[７]", "[7?]", "7"),
        ("\\cite{foo}", "[foo?]", "foo"),
        ("\\citep[p. 5]{z9y8x}", "[z9y8x?]", "z9y8x"),
    ],
)
def test_what_was_never_given_is_caught_in_the_ways_that_models_cite(citation, expected, invented_marks):
    text = f"Stars form {citation}."
    citations = check_citations(text, REGISTRY)
    assert citations.text == f"Stars form {expected}."
    assert citations.invented_marks == (invented_marks,)
    assert f"[{invented_marks}]" in citations.complaints[0]
    assert "".join(number_citations(text, REGISTRY)) == citations.text
    assert "".join(number_citations([text], REGISTRY)) == citations.text


@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        ("[Smith2020]", "[Smith2020] [?]"),
        ("[@smith2020]", "[@smith2020] [?]"),
        ("[Smith, 2020]", "[Smith, 2020] [?]"),
        ("(Smith & Jones, 2020a)", "(Smith & Jones, 2020a [?])"),
        ("\\cite{smith2020}", "\\cite{smith2020} [?]"),
        ("\\citet{smith2020,Jones_etal:2021b}", "\\citet{smith2020 [?],Jones_etal:2021b} [?]"),
        ("[2020ApJ...900....1A]", "[2020ApJ...900....1A] [?]"),
        ("Smith et al. [2020]", "Smith et al. [2020] [?]"),
    ],
)
def test_a_paper_that_is_named_in_another_syntax_and_that_no_source_bears_out_is_shown_as_such(citation, expected):
    text = f"Stars form {citation}."
    citations = check_citations(text, REGISTRY)
    assert citations.text == f"Stars form {expected}."
    assert citations.unsourced_papers
    assert "found neither among the sources nor in their texts" in citations.complaints[0]
    assert "".join(number_citations(text, REGISTRY)) == text


@pytest.mark.parametrize(
    "citation",
    [
        *("[Smith2020]", "[Smith, 2020]", "(Smith & Jones, 2020a)", "\\cite{smith2020}", "\\citep[see][]{smith2020}"),
        *("[2020ApJ...900....1A]", "[@smith_etal2021]", "Smith et al. [2020]", "[Smith and Jones, 2020]"),
    ],
)
def test_what_a_source_bears_out_stays_as_it_is(citation):
    source = Paper("s", "T", "x", authors=("Smith, A", "Jones, B"), year=2020, bibcode="2020ApJ...900....1A")
    citations = check_citations(f"Stars form {citation}.", CitationRegistry("q", (source,)))
    assert citations.text == f"Stars form {citation}."
    assert citations.complaints == ()


@pytest.mark.parametrize(
    "citation",
    [
        *("[{}, p. 5]", "[source: {}, p. 5]", "[Source {}; see Fig. 3]", "[doc {}]", "\\cite{{{}}}", "[@{}]"),
        *("[{}†L1]", "\\citep[p. 5]{{{}}}"),
    ],
)
def test_a_key_that_was_given_is_a_citation_in_each_of_these_ways(citation):
    text = f"Stars form {citation.format(TWO)}."
    citations = check_citations(text, REGISTRY)
    assert (citations.text, citations.complaints) == ("Stars form [2].", ())
    assert citations.claims == (Claim("Stars form.", ("two",)),)
    assert "".join(number_citations(text, REGISTRY)) == citations.text


@pytest.mark.parametrize(
    "text",
    [
        *("With [Fe/H] low.", "The [O III] line.", "At [C II] 158 µm.", "In (2020).", "In [2020].", "In [2010, 2015]."),
        *("In [0, 1].", "In [-1, 1].", "In [0.5, 2].", "He [sic] said.", "The code x[S3] and x[doc].", "Of C2H5N."),
        *("In SN1987A [SN1987A].", "See https://x.org/z9y8x-a.", "It is a [p. 5].", "In [Fig. 3].", "In [Table 2]."),
        *("See [the next one].", "A [NII]/[SII] ratio.", "It is [Ne V] 3426.", "A \\citadel{x2y}.", "By [α/Fe]."),
    ],
)
def test_brackets_that_cite_nothing_stay_as_they_are(text):
    citations = check_citations(text, REGISTRY)
    assert (citations.text, citations.complaints) == (text, ())
    assert "".join(number_citations(text, REGISTRY)) == text


def test_each_sentence_has_its_own_citations():
    citations = check_reply(
        "Stars form [@one]. Dust does not. [@two] [@three] Nothing else.\n\n- A list [@two]\n2. Another."
    )
    assert citations.claims == (
        Claim("Stars form.", ("one",)),
        Claim("Dust does not.", ("two", "three")),
        Claim("Nothing else.", ()),
        Claim("A list", ("two",)),
        Claim("Another.", ()),
    )


def test_what_is_no_mark_is_left_alone():
    text = "Lines of [O III] at $[0, 1]$ and [C/Fe] and [] and [1.5] and h2o2x."
    citations = check_citations(text, REGISTRY)
    assert citations.text == text
    assert citations.claims == (Claim(text, ()),)


@pytest.mark.parametrize("reply", ["It costs $5 [1] and $6.", r"A $\foo [1]$ b.", "[1]$ x $"])
def test_a_number_between_dollars_that_are_no_mathematics_is_invented(reply):
    citations = check_citations(reply, REGISTRY)
    assert "[1?]" in citations.text
    assert citations.invented_marks == ("1",)


def test_a_paper_that_is_named_and_that_no_source_bears_out_is_shown_as_such():
    citations = check_reply("As Smith et al. (2015) say, stars form [@one]; see (Lee & Kim 2019).")
    assert citations.text == "As Smith et al. (2015) [?] say, stars form [1]; see (Lee & Kim 2019 [?])."
    assert citations.unsourced_papers == ("Smith et al. (2015)", "Lee & Kim 2019")
    assert citations.claims == (Claim("As Smith et al. (2015) say, stars form; see (Lee & Kim 2019).", ("one",)),)
    assert citations.complaints == (
        (
            "the model named Smith et al. (2015); Lee & Kim 2019, found neither among the sources nor in their texts: "
            "marked with [?]"
        ),
    )


def test_a_reader_is_told_what_was_invented_and_nothing_where_nothing_was():
    (complaint,) = check_reply("Stars form [z9z9z, 7].").complaints
    assert complaint.startswith("the model cited [z9z9z], [7], which it was not given")
    assert check_reply("Stars form [@one].").complaints == ()


def test_signs_that_act_on_a_terminal_or_turn_the_direction_are_taken_out():
    assert check_citations("A\x1b]8;;x\x07 b\u202e c\r\n\td", REGISTRY).text == "A]8;;x b c\n\td"


def test_a_number_of_any_length_is_read_without_harm():
    assert check_citations(f"Stars [{'9' * 6000}].", REGISTRY).invented_marks == ()
    assert check_citations("[" + "and " * 3000 + "[1, " * 3000, REGISTRY).invented_marks == ()


def test_what_could_pass_for_a_mark_is_put_in_round_brackets():
    text = f"As in [3] and [4, 5-7] and [{ONE_KEY}], with [O III]."
    assert without_own_marks(text) == f"As in (3) and (4, 5-7) and ({ONE_KEY}), with [O III]."


LOOSE = ("z9y8x", "[doc ", "p. 5", "\\cite", "{", "}", "[S3", "[see ", "③", "†", "/", "(", "a2", "2020", "[0, ")
REPLIES = st.lists(
    st.sampled_from(
        [
            ONE_KEY,
            TWO,
            f"[{ONE_KEY}]",
            f"[{ONE_KEY}, {THREE}]",
            "[z9z9z]",
            "[7]",
            *"[]【】k37,- .ab\n\ue000\ue001",
            *LOOSE,
        ]
    ),
    max_size=20,
).map("".join)


@given(REPLIES)
def test_only_papers_on_the_shelf_are_ever_cited_and_only_their_places_are_shown(reply):
    citations = check_citations(reply, REGISTRY)
    assert {paper for claim in citations.claims for paper in claim.citations} <= {"one", "two", "three"}
    places = {int(n) for mark in re.findall(r"\[\d+(?:, \d+)*\]", citations.text) for n in re.findall(r"\d+", mark)}
    assert places <= {1, 2, 3}
    assert ONE_KEY not in citations.text.split()


MATHEMATICS = st.sampled_from(
    ["$x$", "$[0, 1]$", "$$[1]$$", "costs $5 ", r"\(", r"\)", "$", f"[{ONE_KEY}] ", "[7]", "and "]
)


@given(REPLIES | st.lists(MATHEMATICS, max_size=12).map("".join), st.integers(1, 7))
def test_a_stream_shows_the_text_that_is_checked_however_it_is_cut(reply, length):
    pieces = [reply[i : i + length] for i in range(0, len(reply), length)]
    assert "".join(number_citations(pieces, REGISTRY)) == check_citations(reply, REGISTRY).text


def test_a_line_that_never_ends_is_shown_whole_all_the_same():
    for endless in ("[" * 20_000, f"$ a [{ONE_KEY}] " * 2_000):
        pieces = [endless[start : start + 50] for start in range(0, len(endless), 50)]
        assert "".join(number_citations(pieces, REGISTRY)) == check_citations(endless, REGISTRY).text


def test_a_mark_of_an_answer_is_told_from_other_brackets():
    text = check_reply("Stars [@one, z9z9z] form [4] in [O III 2] and [C/Fe] and [from memory].").text
    assert [mark[0] for mark in shown_marks(text)] == ["[1, z9z9z?]", "[4?]"]


@pytest.mark.parametrize(
    ("text", "numbers", "expected"),
    [
        ("73 [1] or 67 [2, 1].", (1, 2, 1), "73 [2] or 67 [1, 2]."),
        (
            "So it is [2, k3q7z?], by [7?] and [smith2020?, 1].",
            (2, 1),
            "So it is [1, k3q7z?], by [7?] and [smith2020?, 2].",
        ),
        (
            "From [O III] and [C2], in [2023], within [0, 1] [3].",
            (3,),
            "From [O III] and [C2], in [2023], within [0, 1] [3].",
        ),
        ("It lies in $[1, 2]$ [1].\nSo $x_{[2]}$ [2]", (1, 2), "It lies in $[1, 2]$ [2].\nSo $x_{[2]}$ [1]"),
    ],
)
def test_the_numbers_in_the_marks_of_an_answer_are_read_and_replaced_in_one_way(text, numbers, expected):
    assert shown_numbers(text) == numbers
    assert renumber(text, {1: 2, 2: 1}) == expected


def test_a_stream_holds_back_a_mark_until_it_is_whole_and_nothing_else():
    pieces = ["Stars ", "form [", ONE_KEY[:2], ONE_KEY[2:], ", ", TWO, "] in [", "clouds]", " here."]
    assert list(number_citations(pieces, REGISTRY)) == ["Stars ", "form ", "[1, 2] in ", "[clouds]", " here."]


def test_a_stream_holds_back_what_may_be_a_key_or_stand_in_mathematics():
    assert list(number_citations(["By ", ONE_KEY, " and a", "nd $[0,", " 1]$ to"], REGISTRY)) == [
        "By ",
        "[1] and ",
        "and $",
        "[0, 1]$ to",
    ]


def test_a_mark_that_is_never_finished_is_shown_as_it_stands():
    assert "".join(number_citations([f"Stars [{ONE_KEY}, "], REGISTRY)) == "Stars [[1], "
