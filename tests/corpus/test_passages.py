import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.text.sentences import MAX_PASSAGE_CHARACTERS, cut_into_passages, sentence_spans

sentences = st.integers(1, 600).map(lambda length: f"S{'o' * length}.")
abstracts = st.one_of(st.lists(sentences, max_size=12).map(" ".join), st.text(alphabet="Ab .!?$()\n", max_size=3000))


def test_a_short_abstract_is_one_passage():
    assert cut_into_passages("Stars form. We count them.") == ((0, 26),)


@pytest.mark.parametrize("abstract", ["", " \n "])
def test_nothing_has_no_passages(abstract):
    assert cut_into_passages(abstract) == ()


def test_passages_are_as_even_as_whole_sentences_allow():
    abstract = " ".join(["S" + "o" * 248 + "."] * 5)
    # Five sentences of 250 characters: passages of three and two, not the four and one that would come first.
    assert cut_into_passages(abstract) == ((0, 752), (753, 1254))


def test_a_sentence_longer_than_a_passage_is_a_passage():
    abstract = f"Short. S{'o' * 1500}. Short."
    assert [abstract[start:end][:6] for start, end in cut_into_passages(abstract)] == ["Short.", "Sooooo", "Short."]


@given(abstracts)
def test_passages_cover_the_abstract_in_order_with_white_space_between_them(abstract):
    place = 0
    for start, end in cut_into_passages(abstract):
        assert place <= start < end
        assert abstract[place:start].strip() == ""
        place = end
    assert abstract[place:].strip() == ""


@given(abstracts)
def test_passages_are_whole_sentences(abstract):
    spans = sentence_spans(abstract)
    starts, ends = {start for start, _ in spans}, {end for _, end in spans}
    assert all(start in starts and end in ends for start, end in cut_into_passages(abstract))


@given(abstracts)
def test_only_a_single_sentence_is_longer_than_a_passage(abstract):
    spans = set(sentence_spans(abstract))
    assert all(
        end - start <= MAX_PASSAGE_CHARACTERS or (start, end) in spans for start, end in cut_into_passages(abstract)
    )


@given(abstracts)
def test_two_neighbours_never_fit_into_one(abstract):
    passages = cut_into_passages(abstract)
    if len(passages) == 2:
        assert passages[1][1] - passages[0][0] > MAX_PASSAGE_CHARACTERS
