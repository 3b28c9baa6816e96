import traceback
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest

from pathfinder.addons.evaluation.providers.exa import TEXT_CHARACTERS, Exa
from pathfinder.addons.evaluation.providers.openalex import MAX_CHARACTERS, OpenAlex, abstract_text
from pathfinder.addons.evaluation.providers.semantic_scholar import SemanticScholar
from pathfinder.addons.evaluation.providers.web import MAX_RETRIES, PAUSE_SECONDS, RetryPolicy
from pathfinder.errors import MissingKey, ProviderError, RateLimited, RejectedKey, Unreachable, UsageError
from tests.addons.evaluation.providers import shapes
from tests.wire import Fails, Hangs, Replies, Resets, Wire

KEY = "a key/that+must not be seen"
QUESTION = "How old are metal-poor clusters?"
PROVIDERS = {"semantic-scholar": SemanticScholar, "openalex": OpenAlex, "exa": Exa}
GOOD = {"semantic-scholar": shapes.SEMANTIC_SCHOLAR, "openalex": shapes.OPENALEX, "exa": shapes.EXA}
NAMES = list(PROVIDERS)


def search(name, *plan, n=10, **options):
    """Return the results, the requests, and the pause before each further attempt."""
    pauses = []
    with Wire(*plan) as wire:
        url = wire.url.removesuffix("/v1")
        provider = PROVIDERS[name](KEY, base_url=url, retry_policy=RetryPolicy(20, pauses.append), **options)
        papers = provider.search(QUESTION, n)
    return papers, wire.received, pauses


def failure(name, *plan, timeout_seconds=20):
    """Return the error that was raised, the number of requests, and the pauses."""
    pauses = []
    with Wire(*plan) as wire:
        url = wire.url.removesuffix("/v1")
        provider = PROVIDERS[name](KEY, base_url=url, retry_policy=RetryPolicy(timeout_seconds, pauses.append))
        with pytest.raises(ProviderError) as error:
            provider.search(QUESTION, 10)
    text = "".join(traceback.format_exception(error.value))
    assert not any(secret in text for secret in (KEY, "a%20key", "a+key"))
    assert str(error.value).startswith(name)
    assert "\n" not in str(error.value)
    return error.value, len(wire.received), pauses


# Failures -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("api_key", [None, ""])
def test_exa_needs_a_key_and_nothing_is_asked_without_one(api_key):
    with pytest.raises(MissingKey, match="set EXA_API_KEY, or leave this provider out"):
        Exa(api_key)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [0, -1, 31])
def test_a_number_of_results_that_no_provider_gives_is_refused(name, n):
    with pytest.raises(UsageError, match=f"must lie in 1..30, got {n}"):
        PROVIDERS[name](KEY).search(QUESTION, n)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_not_accepted_is_said_to_be_so_at_once(name, status):
    error, n_asked, _ = failure(name, Fails(status, f"bad key {KEY}"))
    assert (type(error), n_asked) == (RejectedKey, 1)
    assert "_API_KEY" in str(error)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("status", "error_class"), [(429, RateLimited), (500, ProviderError), (503, ProviderError)])
def test_a_passing_failure_is_tried_again_after_a_pause_before_it_is_told(name, status, error_class):
    error, n_asked, pauses = failure(name, Fails(status, f"no luck with {KEY}"))
    assert (type(error), n_asked) == (error_class, 1 + MAX_RETRIES)
    assert f"HTTP {status}" in str(error)
    assert "no luck with ***" in str(error)
    assert pauses == [PAUSE_SECONDS] * MAX_RETRIES


@pytest.mark.parametrize("name", NAMES)
def test_the_pause_is_as_long_as_the_provider_asks(name):
    papers, requests, pauses = search(name, Fails(429, retry_after="7"), Fails(503), Replies(GOOD[name]))
    assert (len(papers), len(requests), pauses) == (2, 3, [7, PAUSE_SECONDS])


@pytest.mark.parametrize("retry_after", ["soon", "Fri, 20 Nov 2026 22:00:00 GMT", "-1", ""])
def test_a_pause_that_is_no_number_of_seconds_is_the_usual_one(retry_after):
    _, _, pauses = search("openalex", Fails(429, retry_after=retry_after), Replies(shapes.OPENALEX))
    assert pauses == [PAUSE_SECONDS]


@pytest.mark.parametrize("name", NAMES)
def test_a_provider_that_asks_to_wait_long_is_not_asked_again(name):
    error, n_asked, pauses = failure(name, Fails(429, retry_after="3600"))
    assert (type(error), n_asked, pauses) == (RateLimited, 1, [])
    assert "asked us to wait 3600 s (HTTP 429)" in str(error)


@pytest.mark.parametrize("name", NAMES)
def test_no_answer_in_time_is_unreachable(name):
    error, n_asked, _ = failure(name, Hangs(), timeout_seconds=0.1)
    assert (type(error), n_asked) == (Unreachable, 1 + MAX_RETRIES)
    assert "timed out" in str(error)


@pytest.mark.parametrize("name", NAMES)
def test_a_connection_that_is_reset_is_unreachable(name):
    assert type(failure(name, Resets())[0]) is Unreachable


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_request_that_is_refused_is_told_in_the_provider_s_words(name, status):
    error, n_asked, _ = failure(name, Fails(status, "limit must be <= 100"))
    assert (type(error), n_asked) == (ProviderError, 1)
    assert "limit must be <= 100" in str(error)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "body",
    [
        "",
        "null",
        "[]",
        "{}",
        "{not json",
        "<html>Log in</html>",
        '{"total": "many", "data": 3, "results": 3}',
        '{"total": 1, "data": [3], "results": [3]}',
        '{"total": 1, "data": [{"title": 3}], "results": [{"url": 3, "display_name": 3}]}',
        '{"total": 1, "data": [{"year": "new"}], "results": [{"publication_year": "new", "text": [3]}]}',
    ],
)
def test_a_reply_of_another_shape_is_an_error_and_no_empty_result(name, body):
    error, n_asked, _ = failure(name, Replies(body))
    assert (type(error), n_asked) == (ProviderError, 1)
    assert "returned an unusable reply" in str(error)


class Refuses(BaseHTTPRequestHandler):
    """Refuses with `body`."""

    body = b""

    def do_GET(self):
        self.send_response(400)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_):
        """Say nothing."""


@pytest.mark.parametrize(
    ("body", "words"),
    [(b"[" * 200_000, "[[["), (b'{"message": "a", "message": "b"}', '{"message": "a", "message": "b"}')],
)
def test_a_refusal_that_cannot_be_read_strictly_is_quoted_as_it_is(body, words):
    handler = type("RefusesThis", (Refuses,), {"body": body})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.handle_request, daemon=True).start()
        provider = OpenAlex(
            base_url=f"http://127.0.0.1:{server.server_port}", retry_policy=RetryPolicy(20, lambda _: None)
        )
        with pytest.raises(ProviderError, match="HTTP 400") as error:
            provider.search(QUESTION, 10)
    assert words in str(error.value)
    assert len(str(error.value)) < 2000


def test_an_abstract_with_two_words_at_one_place_is_an_error():
    body = shapes.OPENALEX.replace('"are": [1]', '"are": [0]')
    assert "both 'They' and 'are' stand at position 0" in str(failure("openalex", Replies(body))[0])


# Success --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_result_is_what_the_provider_says_and_nothing_else(name):
    (full, bare), _, _ = search(name, Replies(GOOD[name]))
    assert (full.title, full.chunks, full.doi, full.year) == (
        "Ages of clusters",
        ("They are old.",),
        "10.1000/ages",
        2024,
    )
    assert full.url in ("https://www.semanticscholar.org/paper/649def34", "https://doi.org/10.1000/Ages")
    assert (bare.title, bare.chunks, bare.doi, bare.year) == ("A bare one", (), None, None)
    assert (bare.context.text, full.context.text) == ("", "They are old.")


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("semantic-scholar", '{"total": 0, "offset": 0}'),
        ("semantic-scholar", '{"total": 0, "offset": 0, "data": []}'),
        ("openalex", '{"meta": {"count": 0}, "results": []}'),
        ("exa", '{"requestId": "x", "results": []}'),
    ],
)
def test_nothing_found_is_an_empty_result(name, body):
    assert search(name, Replies(body))[0] == ()


@pytest.mark.parametrize("name", NAMES)
def test_no_more_results_are_kept_than_were_asked_for(name):
    assert [hit.title for hit in search(name, Replies(GOOD[name]), n=1)[0]] == ["Ages of clusters"]


def address(request):
    parts = urlsplit(request.path)
    return parts.path, {name: value for name, (value,) in parse_qs(parts.query).items()}


def test_what_semantic_scholar_is_asked():
    _, (request,), _ = search("semantic-scholar", Replies(shapes.SEMANTIC_SCHOLAR))
    path, parameters = address(request)
    assert (path, request.key) == ("/graph/v1/paper/search", KEY)
    assert parameters == {
        "query": "How old are metal poor clusters?",
        "limit": "10",
        "fields": "title,abstract,url,year,externalIds",
    }


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("words", {"search": "How old are metal-poor clusters"}),
        ("meaning", {"search.semantic": "How old are metal-poor clusters?"}),
    ],
)
def test_what_openalex_is_asked(by, expected):
    _, (request,), _ = search("openalex", Replies(shapes.OPENALEX), by=by)
    path, parameters = address(request)
    fields = "id,doi,display_name,publication_year,abstract_inverted_index,primary_location"
    assert path == "/works"
    assert parameters == expected | {"per_page": "10", "select": fields, "api_key": KEY}


def test_openalex_gets_no_operators_by_words_and_no_more_than_it_reads_by_meaning():
    with Wire(Replies(shapes.OPENALEX)) as wire:
        url = wire.url.removesuffix("/v1")
        OpenAlex(base_url=url).search('Is "dust" hot AND old (or ANDROMEDA)? NOT* gas~', 5)
        OpenAlex(base_url=url, by="meaning").search("x" * 5000, 5)
    assert address(wire.received[0])[1]["search"] == "Is dust hot old or ANDROMEDA gas"
    assert len(address(wire.received[1])[1]["search.semantic"]) == MAX_CHARACTERS


def test_what_exa_is_asked():
    _, (request,), _ = search("exa", Replies(shapes.EXA))
    assert (request.path, request.key) == ("/search", KEY)
    assert request.body == {
        "query": QUESTION,
        "type": "auto",
        "category": "research paper",
        "numResults": 10,
        "contents": {"text": {"maxCharacters": TEXT_CHARACTERS}},
    }


@pytest.mark.parametrize("provider", [SemanticScholar, OpenAlex])
def test_two_providers_work_without_a_key_and_send_none(provider):
    with Wire(Replies(shapes.SEMANTIC_SCHOLAR[:-1] + ', "results": []}')) as wire:
        provider(base_url=wire.url.removesuffix("/v1")).search(QUESTION, 10)
    assert wire.received[0].key == ""
    assert "api_key" not in wire.received[0].path


@pytest.mark.parametrize(
    ("positions", "text"),
    [
        ({}, ""),
        ({"b": [1], "a": [0, 2]}, "a b a"),
        ({"far": [90], "near": [3]}, "near far"),
        ({"twice": [0, 0]}, "twice"),
    ],
)
def test_an_inverted_abstract_is_read_back(positions, text):
    assert abstract_text(positions) == text
