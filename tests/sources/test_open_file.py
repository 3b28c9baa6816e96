"""Files at addresses that anybody may have written: only public hosts over https, whatever they redirect to."""

from ipaddress import ip_address

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.errors import ProviderError, RateLimited, Unreachable, UnusableReply
from pathfinder.sources.http.addresses import AddressRule, ForbiddenAddress, is_public
from pathfinder.sources.http.failures import LeftAlone
from pathfinder.sources.http.open_file import MAX_REDIRECTS, fetch_open_file
from pathfinder.sources.http.web import WebSurroundings
from tests.sources.hosts.loopback import Reply


def literal(host, _port):
    return (host.strip("[]"),)


LOOPBACK = AddressRule("http", None, lambda address: address.is_loopback, literal)
PDF = Reply(b"%PDF-1.7 text", kind="application/pdf")


@pytest.fixture
def fetch(tmp_path):
    def fetched(host, path="/a.pdf", rule=LOOPBACK, **options):
        around = fetched.around = fetched.around or WebSurroundings(tmp_path / "cache", clock=host.clock)
        return fetch_open_file(f"{host.address}{path}", around, 3.0, rule, **options)

    fetched.around = None
    return fetched


HOSTS = """
127.0.0.1 10.1.2.3 192.168.0.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 192.0.0.9 192.88.99.1 93.184.216.34:8443
me:secret@93.184.216.34 [::1] [fe80::1] [fd00::1] [::ffff:10.0.0.1] [fec0::1] [5f00::1] [3fff::1] [ff0e::1]
[64:ff9b:1::5db8:d822]
"""
ADDRESSES = ("http://93.184.216.34/a.pdf", "ftp://93.184.216.34/a.pdf", "file:///etc/passwd")


@pytest.mark.parametrize("address", [*ADDRESSES, *(f"https://{host}/a.pdf" for host in HOSTS.split())])
def test_only_public_hosts_are_asked_and_only_over_https(address):
    with pytest.raises(ForbiddenAddress, match="no request was sent") as error:
        AddressRule(resolve=literal).check(httpx2.URL(address))
    assert "secret" not in str(error.value)


def test_a_public_address_may_be_asked_unless_one_of_its_machines_is_not_public():
    url = httpx2.URL("https://journal.example/a.pdf")
    AddressRule(resolve=lambda *_: ("93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822")).check(url)
    with pytest.raises(ForbiddenAddress, match=r"resolves to 10\.0\.0\.1, which is not public"):
        AddressRule(resolve=lambda *_: ("93.184.216.34", "10.0.0.1")).check(url)


@pytest.mark.parametrize(
    "form", ["::{}", "::ffff:{}", "::ffff:0:{}", "64:ff9b::{}", "64:ff9b:1::{}", "2002:", "2001::{}"]
)
@given(inner=st.ip_addresses(v=4))
def test_an_address_is_public_only_if_what_it_wraps_is(form, inner):
    wrapped = f"2002:{inner.packed[:2].hex()}:{inner.packed[2:].hex()}::1" if form == "2002:" else form.format(inner)
    assert not is_public(ip_address(wrapped)) or is_public(inner)


def test_a_request_goes_to_the_address_that_was_checked_under_the_name_of_its_host(tmp_path):
    answers = iter([("93.184.216.34", "93.184.216.35"), ("10.0.0.1",)])
    seen = []

    def network(request):
        seen.append((request.url.host, request.headers["host"], request.extensions["sni_hostname"]))
        if request.url.host.endswith("34"):
            raise httpx2.ConnectError("refused")
        return httpx2.Response(302, headers={"Location": "/b.pdf"})

    around = WebSurroundings(tmp_path, transport=httpx2.MockTransport(network))
    rule = AddressRule(resolve=lambda *_: next(answers))  # the name moves after the first request
    with pytest.raises(ForbiddenAddress, match=r"resolves to 10\.0\.0\.1"):
        fetch_open_file("https://journal.example/a.pdf", around, 0.0, rule)
    names = ("journal.example", "journal.example")
    assert seen == [("93.184.216.34", *names), ("93.184.216.35", *names)]


def test_redirects_are_followed_at_the_pace_of_the_host_and_each_address_is_checked(serve, fetch):
    host = serve(lambda request: Reply(b"", 302, headers={"Location": "/b.pdf"}) if request.path == "/a.pdf" else PDF)
    file = fetch(host)
    assert (file.content, file.address) == (PDF.body, f"{host.address}/b.pdf")
    assert host.pauses == [3.0]
    inward = serve(lambda _: Reply(b"", 302, headers={"Location": "http://169.254.169.254/latest"}))
    with pytest.raises(ForbiddenAddress, match=r"resolves to 169\.254\.169\.254"):
        fetch(inward)
    endless = serve(lambda _: Reply(b"", 302, headers={"Location": "/a.pdf"}))
    with pytest.raises(UnusableReply, match=f"more than {MAX_REDIRECTS} redirects"):
        fetch(endless)


@pytest.mark.parametrize(
    ("reply", "kind", "reason"),
    [
        (Reply(b"<html>Log in", kind="text/html; charset=utf-8"), UnusableReply, "is no full text, but text/html"),
        (Reply(b"x" * 2_000_001, kind="application/pdf"), UnusableReply, "more than 1 MB, the limit"),
        (Reply(b"", 403), ProviderError, "is not given out"),
        (Reply(b"", 429, headers={"Retry-After": "60"}), RateLimited, "run the same command again later"),
        (Reply(b"%PDF", kind="application/pdf", n_bytes=2), Unreachable, "cannot be fetched"),
    ],
)
def test_a_reply_that_is_no_text_says_why(serve, fetch, reply, kind, reason):
    with pytest.raises(kind, match=reason):
        fetch(serve(lambda _: reply), max_bytes=1 << 20)


def test_a_host_that_asks_for_a_pause_gets_it_and_is_left_alone_if_it_keeps_failing(serve, fetch):
    host = serve(lambda _: Reply(b"", 503, headers={"Retry-After": "60"}))
    for _ in range(3):
        with pytest.raises(Unreachable):
            fetch(host)
    assert host.pauses == [60.0, 60.0]
    with pytest.raises(LeftAlone):
        fetch(host)
    assert len(host.requests) == 3
