"""The containers of `compose.yaml` agree with the image, the settings and the engine."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from pathfinder.addons.milvus.server import MilvusSettings, check, check_version
from pathfinder.settings import Settings

ROOT = Path(__file__).parents[3]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8")))


def test_the_app_alone_needs_no_engine(compose: dict[str, Any]) -> None:
    app = compose["services"]["app"]
    assert "profiles" not in app
    assert "depends_on" not in app
    assert app["build"] == "."


def test_the_app_with_an_engine_waits_for_it_and_finds_it(compose: dict[str, Any]) -> None:
    services = compose["services"]
    app = services["app-with-milvus"]
    assert app["profiles"] == services["milvus"]["profiles"] == ["milvus"]
    assert app["depends_on"] == {"milvus": {"condition": "service_healthy"}}
    address = app["environment"]["PATHFINDER_MILVUS_URI"]
    assert address == "http://milvus:19530"
    check(address, "mine")


def test_the_engine_is_new_enough_and_keeps_its_port_to_itself(compose: dict[str, Any]) -> None:
    milvus = compose["services"]["milvus"]
    check_version("http://milvus:19530", milvus["image"].partition(":")[2])
    assert "ports" not in milvus


def test_every_setting_of_a_container_is_one_that_pathfinder_reads(compose: dict[str, Any]) -> None:
    apps = [compose["services"][name] for name in ("app", "app-with-milvus")]
    names = {name for app in apps for name in app["environment"]}
    assert {name.removeprefix("PATHFINDER_").lower() for name in names} <= {
        *Settings.model_fields,
        *MilvusSettings.model_fields,
    }


def test_the_image_takes_the_extra_from_a_file_with_hashes(compose: dict[str, Any]) -> None:
    (name, extra), *_ = compose["services"]["app-with-milvus"]["build"]["args"].items()
    assert f"ARG {name}=\n" in DOCKERFILE
    assert f"requirements-{extra}.txt" in DOCKERFILE
    assert "--hash=sha256:" in (ROOT / f"requirements-{extra}.txt").read_text(encoding="utf-8")


def test_the_port_and_the_folder_of_corpora_are_those_of_the_image(compose: dict[str, Any]) -> None:
    exposed = re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.MULTILINE)
    for name in ("app", "app-with-milvus"):
        service = compose["services"][name]
        assert service["ports"] == [f"127.0.0.1:{port}:{port}" for port in exposed]
        (mount,) = service["volumes"]
        volume, _, folder = mount.partition(":")
        assert volume in compose["volumes"]
        assert folder in DOCKERFILE
        assert service["environment"]["PATHFINDER_NEW_CORPORA"] == folder


def test_every_volume_and_file_of_the_engine_is_declared(compose: dict[str, Any]) -> None:
    milvus = compose["services"]["milvus"]
    assert {mount.partition(":")[0] for mount in milvus["volumes"]} <= set(compose["volumes"])
    (mounted,) = milvus["configs"]
    assert mounted["target"] == milvus["environment"]["ETCD_CONFIG_PATH"]
    assert yaml.safe_load(compose["configs"][mounted["source"]]["content"])["listen-client-urls"]
