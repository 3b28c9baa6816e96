"""The list of Retraction Watch, fetched once a day."""

from datetime import date

import pytest

from pathfinder.corpus.history.retractions import read_retractions
from pathfinder.errors import UnusableReply
from pathfinder.settings import Settings
from pathfinder.sources.published_lists import fetch_retractions
from tests.sources.hosts.loopback import LoopbackHost, Reply, running

LIST = b"RetractionDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature\n5/31/2021 0:00,10.1/X,0,Retraction\n"


def test_it_is_fetched_once_a_day_and_read(tmp_path):
    host = LoopbackHost(lambda request: Reply(LIST, kind="text/csv"))
    host.faults[0] = Reply(b"", status=503)
    with running(host):
        settings = Settings(_env_file=None, cache=tmp_path, retractions_url=host.address)
        days = (date(2026, 11, 22), date(2026, 11, 22), date(2026, 11, 23))
        paths = [fetch_retractions(settings, print, host.clock, day) for day in days]
    assert len(host.requests) == 3  # the one that failed, and one for each day
    assert [path.exists() for path in paths] == [False, False, True]
    assert read_retractions(paths[-1]).names == {"doi:10.1/x"}


def test_a_page_in_place_of_the_list_is_refused_and_not_kept(tmp_path):
    host = LoopbackHost(lambda request: Reply(b"<html>Sign in</html>", kind="text/html"))
    with running(host):
        settings = Settings(_env_file=None, cache=tmp_path, retractions_url=host.address)
        with pytest.raises(UnusableReply, match="use that file instead"):
            fetch_retractions(settings, print, host.clock)
    assert not list(tmp_path.rglob("*.csv"))
