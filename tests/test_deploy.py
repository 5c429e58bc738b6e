"""The files of deploy/ agree with each other and with the settings; Django has nothing to complain of."""

import re
import subprocess
import sys

import pytest
from packaging.requirements import Requirement

from tests.processes import PROJECT
from tests.test_settings import variables_read

DEPLOY = PROJECT / "deploy"


def test_with_a_public_address_django_finds_nothing_unsafe(tmp_path):
    environment = {"PUBLIC_URL": "https://play.example.org", "DATA_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    check = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(check, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_without_https_it_would_complain(tmp_path):
    environment = {"DATA_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    check = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(check, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert {"security.W004", "security.W011", "security.W016"} <= set(re.findall(r"security\.W\d+", done.stderr))


def test_nginx_knows_the_processes_that_the_target_starts():
    started = re.findall(r"mancala@(\d+)\.service", (DEPLOY / "mancala.target").read_text())
    known = re.findall(r"server 127\.0\.0\.1:(\d+);", (DEPLOY / "upstream.conf").read_text())
    assert started == known != []


@pytest.mark.parametrize("name", ["environment.example", "mancala@.service", "Dockerfile"])
def test_the_variables_that_are_set_are_read(name):
    text = (DEPLOY / name).read_text()
    if name != "environment.example":
        text = "\n".join(re.findall(r"^(?:ENV |Environment=)(.*)$", text, re.MULTILINE)).replace(" ", "\n")
    names = set(re.findall(r"^([A-Z_]+)=", text, re.MULTILINE))
    assert names
    assert names - {"PYTHONUNBUFFERED", "POSTGRES_PASSWORD"} <= variables_read()


def test_the_image_holds_every_folder_that_the_server_needs():
    copied = set(re.findall(r"^COPY (\w+) \1$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE))
    assert copied == {"games", "mancala_site", "templates", "static", "locale"}


def locked() -> dict[str, str]:
    """The packages of requirements.lock: the entry of each, on one line."""
    text = (PROJECT / "requirements.lock").read_text().replace("\\\n", "")
    return {re.match(r"[a-z0-9-]+", line)[0]: line for line in text.splitlines()}


def test_the_lock_holds_what_is_required_in_versions_that_are_allowed():
    for line in (PROJECT / "requirements.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            required = Requirement(line)
            version = re.match(r"\S+?==(\S+)", locked()[required.name.lower()])[1]
            assert required.specifier.contains(version), line


def test_everything_locked_is_known_by_its_hash_and_by_nothing_of_where_it_came_from():
    for entry in locked().values():
        assert re.fullmatch(r"[a-z0-9-]+==\S+( ; [^-]*?)?( +--hash=sha256:[0-9a-f]{64})+", entry), entry
