import pytest

from pathfinder.errors import UsageError
from pathfinder.fulltext.document import Document, Figure, Paragraph, Section, TextFormat, TextProvenance
from pathfinder.fulltext.passages import cut_full_text, surroundings
from pathfinder.types.full_texts import SectionKind

PROVENANCE = TextProvenance(TextFormat.PDF, "a.pdf", "0" * 64)


def sentence(name, n_words):
    return f"The {name} " + "dust " * (n_words - 3) + "glows."


def section(kind, *paragraphs, title=""):
    pages = (Paragraph(text, page) for page, text in enumerate(paragraphs, start=4))
    return Section(title or kind.value.title(), 1, kind, tuple(pages))


def document(*sections, figures=()):
    return Document("Dust", sections, figures, (), PROVENANCE)


def test_passages_have_whole_sentences_and_end_at_the_border_of_a_section():
    # 30 sentences of 20 words are 600 words: 600 // 110 = 5 passages of 6 sentences, 120 words each.
    long = section(SectionKind.METHOD, *(" ".join(sentence(f"n{p}{s}", 20) for s in range(10)) for p in range(3)))
    short = section(SectionKind.RESULT, sentence("result", 12))
    passages = cut_full_text(document(long, short))
    assert [len(passage.text.split()) for passage in passages] == [120] * 5 + [12]
    assert [passage.kind for passage in passages] == [SectionKind.METHOD] * 5 + [SectionKind.RESULT]
    assert all(passage.text.endswith("glows.") for passage in passages)
    # The second passage: sentences 7 to 10 of the first paragraph, 1 and 2 of the next.
    second = passages[1]
    assert (second.first, second.last, second.page, second.address) == (0, 1, 4, "Method, page 4")
    assert second.text.count("\n") == 1


@pytest.mark.parametrize(("n_words", "n_passages"), [(30, 1), (219, 1), (220, 2), (329, 2), (330, 3)])
def test_the_number_of_passages_of_a_section_follows_from_its_words(n_words, n_passages):
    text = " ".join([sentence("s", 10)] * (n_words // 10 - 1) + [sentence("s", 10 + n_words % 10)])
    passages = cut_full_text(document(section(SectionKind.DATA, text)))
    assert len(passages) == n_passages
    assert " ".join(passage.text for passage in passages) == text


def test_captions_are_passages_and_acknowledgements_are_not():
    text = document(
        section(SectionKind.ABSTRACT, "We see dust."),
        section(SectionKind.ACKNOWLEDGEMENTS, "We thank dust."),
        figures=(Figure("Figure 1", "Dust over time.", page=2), Figure("Table 1", "Masses.", is_table=True)),
    )
    assert [(p.heading, p.kind.value, p.page, p.text) for p in cut_full_text(text)] == [
        ("Figure 1", "caption", 2, "Dust over time."),
        ("Table 1", "table", None, "Masses."),
    ]
    assert cut_full_text(text, has_abstract=False)[0].text == "We see dust."
    assert cut_full_text(document(Section("Empty", 1, SectionKind.DATA, ()), figures=(Figure("Figure 2", ""),))) == ()


def test_a_passage_is_found_again_in_its_paragraph_with_the_neighbours():
    text = document(section(SectionKind.DATA, "First one.", " ".join([sentence("s", 55)] * 4), "Last one."))
    first, second = cut_full_text(text)
    place = surroundings(text, first)
    assert (place.before, place.after.text[:5]) == (None, "Last ")
    assert [p.text[:5] for p in place.paragraphs] == ["First", "The s"]
    assert surroundings(text, second).before.text == "First one."
    with pytest.raises(UsageError, match="is not in this full text, which has been replaced since: search again"):
        surroundings(document(section(SectionKind.DATA, "Other words.")), first)
