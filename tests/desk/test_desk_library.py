"""What the desk's library is saved as comes back, and nothing in a zip of a stranger's is believed."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from typing import Any

import pytest
from tironian.tools.desk import library
from tironian.tools.desk.worker import DeskSession

answer = DeskSession().answer

RECORD = '[Rules "2024"]\n[Caesar "Zoë"]\n\n1E 1C \udcff\n'
JOURNALS: list[dict[str, Any]] = [{"desk": 1, "start": {"rules": "2024"}, "taps": [number]} for number in range(3)]


def asked(data: bytes, **message: Any) -> dict[str, Any]:
    return json.loads(answer(json.dumps(message), data))


def zipped(files: list[tuple[str, str]]) -> bytes:
    return base64.b64decode(asked(json.dumps(files).encode(), ask="zip")["zip"])


def test_a_library_that_was_saved_as_one_file_comes_back():
    files = [("a.tiro", RECORD), ("a.tiro", "1E 2C\n"), *[("a.desk.json", json.dumps(each)) for each in JOURNALS]]
    data = zipped(files)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["a.tiro", "a-2.tiro", "a.desk.json", "a-2.desk.json", "a-3.desk.json"]
    assert asked(data, ask="journals")["journals"] == JOURNALS
    assert [game["text"] for game in asked(data, ask="check", name="all.zip")["games"]] == [RECORD]
    assert [game["text"] for game in asked(b"", ask="more")["games"]] == ["1E 2C\n"]


@pytest.mark.parametrize(
    "data", [b"", b"PK\3\4", b"1E 1C\n", zipped([("a.desk.json", "{"), ("b.desk.json", "[" * 9999)])]
)
def test_what_is_no_library_holds_no_journals(data: bytes):
    assert asked(data, ask="journals") == {"journals": []}


@pytest.mark.parametrize("cut", [0, 20, 100])
def test_a_damaged_library_is_no_fault_of_the_program(cut: int):
    data = bytearray(zipped([("a.desk.json", json.dumps({"desk": 1, "taps": [*range(99)]}))]))
    data[cut : cut + 4] = b"\xff\xff\xff\xff"
    assert "broken" not in str(asked(bytes(data), ask="journals"))


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(library, "MAX_SIZE", 1000)
    assert "more than" in asked(zipped([("a.desk.json", " " * 1001)]), ask="journals")["fault"]
    monkeypatch.setattr(library, "MAX_BYTES", 1500)
    assert "more than" in asked(zipped([("a.desk.json", " " * 800)] * 2), ask="journals")["fault"]
    monkeypatch.setattr(library, "MAX_FILES", 2)
    assert "more than" in asked(zipped([("a.tiro", "")] * 3), ask="journals")["fault"]
