"""The Unified Astronomy Thesaurus, fetched once, and the list of Retraction Watch, fetched once a day."""

import json
from datetime import date

import pytest

from pathfinder.corpus.history.retractions import read_retractions
from pathfinder.corpus.thesaurus import read_thesaurus
from pathfinder.errors import UnusableReply
from pathfinder.settings import Settings
from pathfinder.sources.published_lists import TERMS, fetch_retractions, fetch_uat
from tests.sources.hosts.loopback import Reply

CONCEPTS = [
    {"uri": "http://astrothesaurus.org/uat/1", "name": "Hot stars", "altNames": ["Blue stars"], "broader": None},
    {"uri": "http://astrothesaurus.org/uat/2", "name": "Cool stars", "altNames": None, "broader": None},
]
LIST = b"RetractionDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature\n5/31/2021 0:00,10.1/X,0,Retraction\n"


def test_the_thesaurus_is_fetched_once_and_says_what_it_is_under(serve, tmp_path):
    messages = []
    host = serve(lambda _: Reply(json.dumps(CONCEPTS).encode()), {0: Reply(b"<html>", kind="text/html")})
    settings = Settings(_env_file=None, cache=tmp_path, uat_url=host.address)
    paths = [fetch_uat(settings, messages.append, host.clock) for _ in range(2)]
    assert [request.path.rpartition("/")[2] for request in host.requests] == ["UAT_list.json"] * 2
    assert paths[0] == paths[1]
    thesaurus = read_thesaurus(paths[0])
    assert thesaurus.name == "Unified Astronomy Thesaurus"
    assert [concept.label for concept in thesaurus.concepts] == ["Hot stars", "Cool stars"]
    assert messages.count(TERMS) == 2
    assert "CC BY-SA 3.0" in TERMS


def test_the_retractions_are_fetched_once_a_day_and_read(serve, tmp_path):
    host = serve(lambda _: Reply(LIST, kind="text/csv"), {0: Reply(b"", status=503)})
    settings = Settings(_env_file=None, cache=tmp_path, retractions_url=host.address)
    days = (date(2026, 11, 22), date(2026, 11, 22), date(2026, 11, 23))
    paths = [fetch_retractions(settings, print, host.clock, day) for day in days]
    assert len(host.requests) == 3  # the one that failed, and one for each day
    assert [path.exists() for path in paths] == [False, False, True]
    assert read_retractions(paths[-1]).names == {"doi:10.1/x"}


def test_a_page_in_place_of_the_list_is_refused_and_not_kept(serve, tmp_path):
    host = serve(lambda _: Reply(b"<html>Sign in</html>", kind="text/html"))
    settings = Settings(_env_file=None, cache=tmp_path, retractions_url=host.address)
    with pytest.raises(UnusableReply, match="use that file instead"):
        fetch_retractions(settings, print, host.clock)
    assert not list(tmp_path.rglob("*.csv"))
