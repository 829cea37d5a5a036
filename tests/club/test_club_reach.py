"""Whom a club answers: under which origins, with whose certificate, and one server to a folder."""

from __future__ import annotations

import os
import signal
import socket
import ssl
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from shutil import copytree
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner
from imports import ROOT
from test_club_server import HOST, OWN, Said, asked, send, served, tables
from tironian.tools.cli.club import club as command
from tironian.tools.cli.desk import lasting_secret, listen
from tironian.tools.club.server import TOKEN

pytestmark = pytest.mark.process
HALL = "http://192.168.1.20:8454"
TLS = "https://club.local:8454"
PROXY = "https://club.example"
PAGE, VIEW, ACT, STATE = ("GET", "/"), ("GET", "/organiser/view"), ("POST", "/organiser/act"), ("GET", "/table/state")
FRAME = ("GET", "/organiser")
NEEDED = {PAGE: None, FRAME: None, VIEW: "organiser", ACT: "organiser", STATE: "device"}
"""Address → who alone may use it."""


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return Path(copytree(ROOT / "examples/event", tmp_path / "open"))


def under(club: str, origin: str, method: str, path: str, token: str | None, claimed: str | None = None) -> Said:
    """Ask under an origin, as its pages do, or as another one's that is ``claimed``."""
    given = {"Host": urlsplit(origin).netloc} | ({} if method == "GET" else {"Origin": origin})
    given |= {TOKEN: token} if token else {}
    return send(club, path, method, b"{}", **(given | ({} if claimed is None else {"Origin": claimed})))


def test_each_role_under_each_origin(event: Path):
    """The organiser's addresses are answered where nobody else can read the key; all others everywhere."""
    with served(event, (HALL, TLS, PROXY, "http://localhost:1")) as club:
        tokens = {None: None, "organiser": OWN, "device": asked(club, tables(club)[0])["token"], "nobody": OWN[::-1]}
        for origin, (role, token), (place, needed) in product(
            (club, "http://localhost:1", HALL, TLS, PROXY), tokens.items(), NEEDED.items()
        ):
            said = under(club, origin, *place, token)
            is_read = origin == HALL and place in (FRAME, VIEW, ACT)
            assert (said.status == 403) == (is_read or needed not in (None, role)), (origin, role, place, said)
            assert ("--tls" in said.text) == is_read
            assert said.status in (200, 400, 403)
            for other in {club, HALL, TLS, PROXY, PROXY + ":443", "null", TLS.replace("s:", ":", 1), ""} - {origin}:
                assert under(club, origin, *place, token, other).status == 403, (origin, other)
        for host in ("club.example:443", "192.168.1.20", "CLUB.example", "club.example.evil.example"):
            assert under(club, f"https://{host}", *PAGE, None).status == 403


def test_another_machine_that_says_it_is_this_one_is_none(event: Path):
    """A name in a request proves nothing: the key of the organiser would have come through the network."""
    with served(event, (HALL,), to="") as club:
        own = urlsplit(club)
        for address, status in ((HOST, 200), ("127.0.0.2", 403)):
            with socket.create_connection((HOST, own.port), source_address=(address, 0)) as asking:
                asking.sendall(
                    f"GET /organiser/view HTTP/1.1\r\nHost: {own.netloc}\r\n{TOKEN}: {OWN}\r\n"
                    f"X-Forwarded-For: {HOST}\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n".encode()
                )
                assert asking.makefile("rb").readline().split()[1] == str(status).encode()


def line(folder: Path, home: Path, *options: str) -> dict[str, Any]:
    """How a club is started as a process, whose user has a ``home``."""
    given = {**os.environ, "HOME": str(home), "APPDATA": str(home), "XDG_CONFIG_HOME": str(home)}
    args = [sys.executable, "-m", "tironian.tools.cli", "club", str(folder), "--no-open", "--port", "0", *options]
    return {"args": args, "env": given, "text": True}


@contextmanager
def run(folder: Path, home: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A club as a process, and the addresses that it prints; it is killed at the end."""
    with subprocess.Popen(**line(folder, home, *options), stdout=subprocess.PIPE) as process:
        assert process.stdout
        try:
            yield process, [process.stdout.readline().split()[1] for _ in range(2 + ("--tls" in options))]
        finally:
            process.kill()


def refused(folder: Path, home: Path, *options: str) -> str:
    """The one sentence with which a club ends at once."""
    with subprocess.Popen(**line(folder, home, *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        if begun := process.stdout.readline():
            process.kill()
        said = process.communicate()[1]
    assert (begun, process.returncode, len(said.splitlines())) == ("", 2, 1), said
    return said


def read(address: str, trusted: ssl.SSLContext | None = None, **headers: str) -> str:
    with urlopen(Request(address, headers=headers), context=trusted) as answer:
        return answer.read().decode()


@pytest.mark.slow
def test_an_authority_that_was_trusted_once_goes_on(event: Path, tmp_path: Path):
    """A phone that has its certificate trusts each later start, under each name, and no other authority."""
    home = tmp_path / "home"
    home.mkdir()
    trusted = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    with run(event, home, "--tls", "--host", "127.0.0.2") as (_, (organiser, _, certificate)):
        untrusting = ssl._create_unverified_context()  # as a person who goes on in spite of the warning
        with urlopen(certificate, context=untrusting) as answer:
            assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
            pem = answer.read().decode()
        assert "PRIVATE" not in pem
        trusted.load_verify_locations(cadata=pem)
        assert organiser.startswith("https://127.0.0.2:")
    (kept,) = home.rglob("club-ca.pem")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with run(event, home, "--tls", "--host", "localhost.localdomain") as (_, (organiser, everybody, _)):
        port, key = urlsplit(organiser).port, urlsplit(organiser).fragment.removeprefix("key=")
        assert everybody.startswith("https://localhost.localdomain:")
        for name in (HOST, "localhost"):
            assert "Thursday Open" in read(f"https://{name}:{port}/organiser/view", trusted, **{TOKEN: key})
        with pytest.raises(OSError, match="verif"):
            read(f"https://{HOST}:{port}/", ssl.create_default_context())
        with socket.create_connection((HOST, port or 0)) as plain:
            named = trusted.wrap_socket(plain, server_hostname="localhost.localdomain")
            lasts = {
                part: ssl.cert_time_to_seconds(str((named.getpeercert() or {})[part]))
                for part in ("notBefore", "notAfter")
            }
            assert lasts["notAfter"] - lasts["notBefore"] < 825 * 86400, "devices of Apple refuse more"
    kept.write_text("damaged")
    assert "club-ca.pem" in refused(event, home, "--tls")


@pytest.mark.slow
def test_what_is_printed_can_be_used_and_nothing_else(event: Path, tmp_path: Path):
    with run(event, tmp_path, "--host", "127.0.0.2") as (_, (organiser, everybody)):
        assert (urlsplit(organiser).hostname, urlsplit(everybody).hostname) == (HOST, "127.0.0.2")
        assert "Thursday Open" in read(everybody)
        assert "Organiser" in read(organiser.partition("#")[0])
        with pytest.raises(OSError, match="403"):
            read(everybody + "organiser")
    with run(event, tmp_path, "--proxy", "https://Club.example:443/") as (_, (organiser, everybody)):
        assert organiser.startswith("https://club.example/organiser#key=")
        assert everybody == "https://club.example/"
    with run(event, tmp_path) as (_, (organiser, everybody)):
        assert urlsplit(organiser).netloc == urlsplit(everybody).netloc
        with pytest.raises(OSError), socket.create_connection(("127.0.0.2", urlsplit(everybody).port or 0)):
            pass


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing can be killed like that on this system")
def test_a_folder_has_one_server_and_a_killed_one_is_none(event: Path, tmp_path: Path):
    for _ in range(2):
        with run(event, tmp_path) as (process, _):
            assert "another club" in refused(event, tmp_path)
        assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    "options",
    [
        ("--host", "192.168.1.20:8454"),
        ("--host", "http://192.168.1.20"),
        ("--host", "fe80::1"),
        ("--host", "a/b"),
        ("--proxy", "http://club.example"),
        ("--proxy", "https://club.example/path"),
        ("--proxy", "https://user@club.example"),
        ("--proxy", "club.example"),
        ("--proxy", PROXY, "--tls"),
        ("--proxy", PROXY, "--host", "club.local"),
    ],
)
def test_an_address_of_no_use_is_refused(tmp_path: Path, options: tuple[str, ...]):
    said = CliRunner().invoke(command, [str(tmp_path), "--no-open", *options])
    assert said.exit_code == 2
    assert options[0] in said.output


def test_answers_do_not_wait_for_the_one_before():
    """Their head and body come apart: without this the body would wait until the head is acknowledged."""
    with (
        listen(0, "a club") as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as it,
    ):
        assert it.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_secret_is_never_empty(tmp_path: Path):
    """A full disk may have left an empty file, with which everybody would be the organiser."""
    (tmp_path / "key").touch()
    key = lasting_secret(tmp_path, "key")
    assert len(key) > 40
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    assert lasting_secret(tmp_path, "key") == key
