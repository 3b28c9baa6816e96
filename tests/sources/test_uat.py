"""The Unified Astronomy Thesaurus, fetched once."""

import json

from pathfinder.corpus.thesaurus import read_thesaurus
from pathfinder.settings import Settings
from pathfinder.sources.published_lists import TERMS, fetch_uat
from tests.sources.hosts.loopback import LoopbackHost, Reply, running

CONCEPTS = [
    {"uri": "http://astrothesaurus.org/uat/1", "name": "Hot stars", "altNames": ["Blue stars"], "broader": None},
    {"uri": "http://astrothesaurus.org/uat/2", "name": "Cool stars", "altNames": None, "broader": None},
]


def test_it_is_fetched_once_and_says_what_it_is_under(tmp_path):
    host, messages = LoopbackHost(lambda request: Reply(json.dumps(CONCEPTS).encode())), []
    host.faults[0] = Reply(b"<html>", kind="text/html")
    with running(host):
        settings = Settings(_env_file=None, cache=tmp_path, uat_url=host.address)
        paths = [fetch_uat(settings, messages.append, host.clock) for _ in range(2)]
    assert [request.path.rpartition("/")[2] for request in host.requests] == ["UAT_list.json"] * 2
    assert paths[0] == paths[1]
    thesaurus = read_thesaurus(paths[0])
    assert thesaurus.name == "Unified Astronomy Thesaurus"
    assert [concept.label for concept in thesaurus.concepts] == ["Hot stars", "Cool stars"]
    assert messages.count(TERMS) == 2
    assert "CC BY-SA 3.0" in TERMS
