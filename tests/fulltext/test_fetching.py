import json
from urllib.parse import unquote

import pytest

from pathfinder.cli import main
from pathfinder.errors import CorpusError
from pathfinder.fulltext.adding import PaperMatch
from pathfinder.fulltext.document import Document, TextFormat, TextProvenance
from pathfinder.fulltext.fetching import Guests, fetch_texts, plain_licence
from pathfinder.fulltext.store import FullTexts
from pathfinder.settings import Settings
from pathfinder.sources.http.addresses import AddressRule
from pathfinder.sources.http.web import WebSurroundings
from pathfinder.types import Paper
from tests.sources.hosts.loopback import LoopbackHost, Reply, running
from tests.tiny_corpus import tiny_corpus

BY = "http://creativecommons.org/licenses/by/4.0/"
RECORD = (
    '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><GetRecord><record><metadata>'
    '<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><license>{}</license></arXivRaw>'
    "</metadata></record></GetRecord></OAI-PMH>"
)
GAS = Paper("gas", "Warm gas", "", arxiv_id="2408.01556v2")
SCAN = Paper("scan", "An old scan", "", arxiv_id="astro-ph/9805201")
OPEN = Paper("open", "Open dust", "", doi="10.1/Open")
CLOSED_PAPER = Paper("closed", "Closed dust", "", doi="10.1/closed")
LISTED_PAPER = Paper("listed", "Dust in arXiv", "", openalex_id="W7")
NAMELESS = Paper("nameless", "No identifier", "")


class Hosts(LoopbackHost):
    """arXiv, its OAI-PMH, OpenAlex and a journal, all at one address."""

    def __init__(self):
        super().__init__(self._answer)
        self.pages = {
            "/e-print/2408.01556": Reply(b"\x1f\x8b source", kind="application/gzip"),
            "/e-print/astro-ph/9805201": Reply(b"\x1f\x8b broken", kind="application/gzip"),
            "/pdf/astro-ph/9805201": Reply(b"%PDF-1.4 scan", kind="application/pdf"),
            "/pdf/open.pdf": Reply(b"%PDF-1.4 open", kind="application/pdf"),
            "/e-print/2501.00001": Reply(b"\\documentclass{article}", kind="application/x-tex"),
        }

    def _answer(self, request):
        if request.path == "/oai":
            return Reply(RECORD.format(BY).encode(), kind="text/xml")
        if request.path == "/works":
            return Reply(json.dumps({"results": self._works(request.query["filter"]), "meta": {}}).encode())
        return self.pages.get(unquote(request.path), Reply(b"", 404))

    def _works(self, filter_):
        if filter_ == "ids.openalex:w7":
            location = {"is_oa": True, "pdf_url": "https://arxiv.org/pdf/2501.00001v2", "license": "cc-by-sa"}
            return [{"id": "https://openalex.org/W7", "doi": None, "best_oa_location": location}]
        assert filter_ in {"doi:10.1/open|10.1/closed", "doi:10.1/closed"}
        location = {"is_oa": True, "pdf_url": f"{self.address}/pdf/open.pdf", "license": "cc-by"}
        return [
            {"id": "https://openalex.org/W1", "doi": "https://doi.org/10.1/open", "best_oa_location": location},
            {"id": "https://openalex.org/W2", "doi": "https://doi.org/10.1/closed", "best_oa_location": None},
        ]


@pytest.fixture
def host():
    with running(Hosts()) as hosts:
        yield hosts


def read(path):
    content = path.read_bytes()
    if b"broken" in content:
        raise CorpusError("it holds no TeX")
    text_format = TextFormat.PDF if path.suffix == ".pdf" else TextFormat.LATEX
    return Document(content.decode("latin-1"), (), (), (), TextProvenance(text_format, path.name, "0" * 64))


@pytest.fixture
def guests(host, tmp_path):
    address = host.address
    settings = Settings(_env_file=None, arxiv_url=address, oai_url=address, openalex_url=address)
    around = WebSurroundings(tmp_path / "cache", clock=host.clock)
    return Guests(settings, around, AddressRule("http", None, lambda ip: ip.is_loopback), read)


def test_a_text_comes_from_arxiv_or_its_open_location_with_its_own_licence(host, guests, tmp_path):
    corpus = tiny_corpus(tmp_path, GAS, SCAN, OPEN, CLOSED_PAPER, LISTED_PAPER, NAMELESS)
    outcomes = list(fetch_texts(corpus, guests))
    assert [(each.match, each.format) for each in outcomes] == [
        (PaperMatch("gas", "arXiv"), TextFormat.LATEX),
        (PaperMatch("scan", "arXiv"), TextFormat.PDF),
        (PaperMatch("open", "OpenAlex"), TextFormat.PDF),
        (PaperMatch("listed", "arXiv"), TextFormat.LATEX),
    ]
    texts = FullTexts.open(corpus)
    assert {key: (text.origin.removeprefix(host.address), text.licence) for key, text in texts.texts.items()} == {
        "gas": ("/e-print/2408.01556", "CC-BY-4.0"),
        "scan": ("/pdf/astro-ph/9805201", "CC-BY-4.0"),
        "open": ("/pdf/open.pdf", "CC-BY"),
        "listed": ("/e-print/2501.00001", "CC-BY-SA"),
    }
    assert texts.document("scan").provenance.file == "astro-ph_9805201.pdf"
    assert list(fetch_texts(corpus, guests)) == []  # the papers that are left have no open place


def test_a_run_ends_with_enough_texts_and_the_next_one_goes_on(guests, tmp_path):
    corpus = tiny_corpus(tmp_path, GAS, SCAN)
    assert [outcome.match.paper_id for outcome in fetch_texts(corpus, guests, 1)] == ["gas"]
    assert [outcome.match.paper_id for outcome in fetch_texts(corpus, guests, 1)] == ["scan"]


def test_a_text_that_cannot_be_had_is_rejected_with_every_reason_and_stops_no_other(host, guests, tmp_path):
    del host.pages["/pdf/astro-ph/9805201"]
    outcomes = list(fetch_texts(tiny_corpus(tmp_path, SCAN, GAS), guests))
    assert outcomes[0].format is None
    assert outcomes[0].reason.startswith("it holds no TeX; http://127.0.0.1")
    assert outcomes[0].reason.endswith("/pdf/astro-ph/9805201 is not given out (HTTP 404)")
    assert outcomes[1].format is TextFormat.LATEX


def test_a_run_ends_when_a_host_keeps_failing(host, guests, tmp_path):
    host.pages = dict.fromkeys([*host.pages, "/pdf/2408.01556"], Reply(b"", 503))
    outcomes = list(fetch_texts(tiny_corpus(tmp_path, GAS, SCAN, LISTED_PAPER), guests))
    assert [outcome.match and outcome.match.paper_id for outcome in outcomes] == ["gas", None]
    assert "has failed several times in a row" in outcomes[-1].reason


def test_a_run_ends_when_openalex_refuses_and_says_what_it_added_before(host, guests, tmp_path):
    host.faults[2] = Reply(b"", 403)  # after the text of the first paper and its licence
    outcomes = list(fetch_texts(tiny_corpus(tmp_path, GAS, OPEN), guests))
    assert [outcome.format for outcome in outcomes] == [TextFormat.LATEX, None]
    assert "OpenAlex" in outcomes[-1].reason


@pytest.mark.parametrize(
    ("licence", "plain"),
    [
        (BY, "CC-BY-4.0"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
        ("https://creativecommons.org/licenses/by-nc-sa/4.0/", "CC-BY-NC-SA-4.0"),
        ("cc-by-nc", "CC-BY-NC"),
        ("http://arxiv.org/licenses/nonexclusive-distrib/1.0/", "http://arxiv.org/licenses/nonexclusive-distrib/1.0/"),
    ],
)
def test_a_licence_is_written_in_its_short_form(licence, plain):
    assert plain_licence(licence) == plain


def test_only_open_texts_are_fetched_which_the_command_wants_confirmed(tmp_path, capsys):
    assert main(["fulltext", "fetch", str(tmp_path / "nowhere")]) == 2
    assert "confirm this with --open-access" in capsys.readouterr().err
