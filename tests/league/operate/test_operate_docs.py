"""The operators' pages leave nothing out: settings, commands, metrics, files."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = "".join(
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("operate.md", "settings.md")
)
SOURCES = [
    *ROOT.glob("league/**/*.py"),
    *ROOT.glob("runners/**/*.py"),
]
NOT_SETTINGS = {
    *("CELERY_SKIP_CHECKS", "DJANGO_SETTINGS_MODULE", "KARAT_WEB", "PYTHONPATH", "XDG_CACHE_HOME"),
}
"""Of the system, or set by our own programs."""


def settings_read():
    read = re.compile(
        r"""(?:env\.(?:text|flag|number|words)|environ\.get|environ\.setdefault|getenv)\(\s*"(\w+)\""""
        r"""|environ\["(\w+)"\]"""
    )
    found = {a or b for path in SOURCES for a, b in read.findall(path.read_text(encoding="utf-8"))}
    return found - NOT_SETTINGS


def test_every_setting_is_in_the_table_with_its_default():
    table = dict(re.findall(r"^\| `([A-Z_]+)` \| ([^|]*) \|", PAGE, re.MULTILINE))
    assert settings_read() - table.keys() == set(), "not documented"
    assert table.keys() - settings_read() == set(), "documented, and read by nobody"
    text = (ROOT / "league" / "settings.py").read_text(encoding="utf-8")
    for name, default in re.findall(r'env\.number\(\s*"(\w+)", ([\d_]+)\)', text):
        assert f"{int(default.replace('_', ''))}" in table[name], name


def test_every_command_of_ours_is_explained():
    for path in (ROOT / "league/operate/management/commands").glob("[a-z]*.py"):
        assert f"manage.py {path.stem}" in PAGE, path.stem


def test_every_file_to_deploy_with_is_mentioned():
    for path in [*ROOT.glob("deploy/*"), *ROOT.glob("deploy/*/*.*")]:
        if path.is_file() and path.parent.name != "lock" and path.name != "setup.sh":
            assert path.name in PAGE, path.name


@pytest.mark.parametrize("file", ["deploy/grafana/karat.json", "deploy/prometheus/alerts.yaml"])
def test_dashboards_and_alerts_ask_only_for_numbers_that_exist(file):
    told = (ROOT / "league/operate/metrics.py").read_text() + (
        ROOT / "league/web/request_log.py"
    ).read_text()
    known = set(re.findall(r'"(karat_\w+)"', told))
    asked = set(re.findall(r"\bkarat_\w+", (ROOT / file).read_text(encoding="utf-8")))
    bare = {re.sub(r"_(total|bucket|count|sum)$", "", name) for name in asked}
    assert bare <= known
    assert len(bare) > 5


def test_every_number_is_explained():
    told = (ROOT / "league/operate/metrics.py").read_text()
    for name in re.findall(r'"(karat_\w+)"', told):
        assert name in PAGE, name


def test_the_dashboard_can_be_read_by_grafana():
    board = json.loads((ROOT / "deploy/grafana/karat.json").read_text(encoding="utf-8"))
    places = [tuple(panel["gridPos"].values()) for panel in board["panels"]]
    assert len(set(places)) == len(places)
    assert all(panel["targets"] for panel in board["panels"])
