"""What is said where there is no Ray, or no cluster. `tests_ray` embeds on a real one."""

import re
import sys
from functools import partial
from types import SimpleNamespace

import pytest

from pathfinder.addons.scale.ray_cluster import RayCluster
from pathfinder.addons.scale.shards import embed_lake
from pathfinder.building.progress import Silent
from pathfinder.errors import CorpusError, MissingDependency
from pathfinder.models.fake import HashEmbedder
from pathfinder.types import Paper
from tests.serving import free_port

PAPERS = [Paper("sun", "The Sun", "A star. It shines.")]


def embed_at(address, out):
    return embed_lake(iter(PAPERS), out, partial(HashEmbedder, 8), Silent(), RayCluster(address, 2), 128)


def test_without_ray_the_package_to_install_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingDependency, match=re.escape("pip install 'pathfinder[ray]'")):
        embed_at("auto", tmp_path)


@pytest.fixture
def _ray_is_installed(monkeypatch):
    """Ray is not one of the packages that are installed for the tests; nothing of it is reached here."""
    ray = SimpleNamespace(exceptions=SimpleNamespace(), util=SimpleNamespace())
    for name, module in {"ray": ray, "ray.exceptions": ray.exceptions, "ray.util": ray.util}.items():
        monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.usefixtures("_ray_is_installed")
@pytest.mark.parametrize("address", ["", "here", "host:", ":6379", "host:many", "host:65536", "ray://host"])
def test_what_is_no_address_of_a_cluster_is_refused(tmp_path, address):
    with pytest.raises(CorpusError, match="HOST:PORT"):
        embed_at(address, tmp_path)


@pytest.mark.usefixtures("_ray_is_installed")
def test_an_address_where_nobody_listens_is_refused_at_once(tmp_path):
    port = free_port()
    with pytest.raises(CorpusError, match=rf"127\.0\.0\.1:{port}"):
        embed_at(f"127.0.0.1:{port}", tmp_path)
