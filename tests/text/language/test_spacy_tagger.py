"""Keywords with a spaCy model: a small one, trained here on five sentences."""

from pathlib import Path

import pytest
import spacy
from spacy.training import Example

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.text.language.spacy_tagger import SpacyTagger

SENTENCES = [
    ("We present faint quasars .", "PRP VBP JJ NNS ."),
    ("Dust obscures the faint galaxies .", "NN VBZ DT JJ NNS ."),
    ("Faint galaxies host black holes .", "JJ NNS VBP JJ NNS ."),
    ("The ionizing photons escape .", "DT VBG NNS VBP ."),
    ("They observe dust .", "PRP VBP NN ."),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("en", meta={"name": "five_sentences", "version": "1.2.3"})
    tagger = nlp.add_pipe("tagger")
    examples = [Example.from_dict(nlp.make_doc(text), {"tags": tags.split()}) for text, tags in SENTENCES]
    for _, tags in SENTENCES:
        for tag in tags.split():
            tagger.add_label(tag)
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(25):
        nlp.update(examples, sgd=optimizer)
    folder = tmp_path_factory.mktemp("model") / "en_five_sentences"
    nlp.to_disk(folder)
    return folder


def test_no_sentences_have_no_tags(model):
    tagger = SpacyTagger.load(str(model))
    assert tagger.tags([]) == []


def test_the_model_is_named_with_its_version(model):
    assert KeywordExtractor.load(model=str(model)).name == "TextRank, en_five_sentences 1.2.3"


def test_the_model_tags_each_sentence_separately(model):
    tags = SpacyTagger.load(str(model)).tags([["We", "present", "faint", "quasars"], ["They", "observe", "dust"]])
    assert tags == [["PRP", "VBP", "JJ", "NNS"], ["PRP", "VBP", "NN"]]


def test_marks_units_and_numbers_are_tagged_by_their_shape(model):
    (tags,) = SpacyTagger.load(str(model)).tags([["faint", "10", "km", "s^-1", "M*"]])
    assert tags[1:] == ["CD", "SYM", "SYM", "SYM"]


def test_phrases_and_questions_use_the_model(model):
    extractor = KeywordExtractor.load(model=str(model))
    text = "We present faint quasars. The ionizing photons escape. Dust obscures the faint galaxies."
    assert set(extractor.phrases(text)) == {"faint quasars", "ionizing photons", "faint galaxies"}
    assert [keyword.text for keyword in extractor.question_keywords("We present faint quasars of JWST")] == [
        "faint quasars",
        "JWST",
    ]
