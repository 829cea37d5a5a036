"""Who agreed to a record, and whether its text is still the one that was agreed to."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
import tironian
from click.testing import CliRunner
from scale import scaled
from tironian import (
    EDITION_NAMES,
    Diagnostic,
    Record,
    check,
    from_json,
    load_edition,
    merge,
    parse,
    simulate,
    timeline,
    to_json,
    write,
)
from tironian.notation.diagnostic import WARNING
from tironian.notation.fingerprint import checksum, signed
from tironian.notation.reader import read_bytes
from tironian.replay.knowledge.witness import witness_of
from tironian.tools.cli.command_line import main

EXAMPLES = Path(__file__).parents[2] / "examples"
ANNOTATED = (EXAMPLES / "2024" / "annotated.tiro").read_text(encoding="utf-8")
BOTH = ("Caesar", "Cleopatra")


def only(text: str) -> Record:
    (game,) = parse(text)
    return game.record


SIGNED = write(signed(only(ANNOTATED), BOTH))


def told(text: str) -> list[Diagnostic]:
    """What is said about signing."""
    (game,) = parse(text)
    return [each for each in check(game).diagnostics if each.code in ("H204", "H209", "H210")]


def codes(text: str) -> list[str]:
    return [each.code for each in told(text)]


def with_headers(*lines: str) -> str:
    """The signed record with other lines in place of those that sign it."""
    rest = re.sub(r'\[(Signed|Checksum) ".*"\]\n', "", SIGNED)
    head, gap, body = rest.partition("\n\n")
    return "\n".join([head, *lines]) + gap + body


def test_a_signed_record_says_who_agreed_and_to_which_text():
    assert '[Signed "Caesar, Cleopatra"]\n[Checksum "' in SIGNED
    assert re.search(r'^\[Checksum "[0-9a-f]{4}( [0-9a-f]{4}){3}"\]$', SIGNED, re.M)
    assert codes(SIGNED) == []


def test_anybody_can_compute_the_checksum():
    """As docs/notation.md says, with nothing of ours."""
    text = "".join(line for line in SIGNED.splitlines(keepends=True) if not line.startswith("[Checksum "))
    assert checksum(only(SIGNED)).replace(" ", "") == sha256(text.encode()).hexdigest()[:16]


def test_each_line_of_a_signed_record_counts():
    lines = SIGNED.splitlines(keepends=True)
    for place, line in enumerate(lines):
        if line.strip() and not line.startswith("[Checksum "):
            assert codes("".join(lines[:place] + lines[place + 1 :])) == ["H209"], line


def test_a_change_is_a_warning_in_its_place_and_never_makes_a_record_illegal():
    (game,) = parse(SIGNED.replace("Both knew", "Neither knew"))
    (problem,) = told(write(game.record))
    assert (problem.code, problem.severity) == ("H209", WARNING)
    assert "changed after it was signed" in problem.message
    assert checksum(game.record) in problem.message
    assert problem.source.text(problem.span.line).startswith("[Checksum ")
    assert check(game).verdict == "legal"


@pytest.mark.parametrize(
    "other",
    [
        SIGNED.replace("\n", "\r\n"),
        "\ufeff" + SIGNED,
        SIGNED.replace("[Signed", "[ signed").replace("[Checksum", "[CHECKSUM"),
        SIGNED.replace("\n0R ", "\n\n\n 00 R  ").rstrip("\n"),
        with_headers(*reversed(re.findall(r"\[(?:Signed|Checksum) .*\]", SIGNED))),
    ],
)
def test_what_the_canonical_form_levels_out_is_no_change(other: str):
    assert other != SIGNED
    assert codes(other) == []
    assert write(only(other)) == SIGNED


def test_a_checksum_may_be_grouped_by_hand():
    digits = checksum(only(SIGNED))
    for written in (digits.upper(), digits.replace(" ", ""), f" {digits[:7]}  {digits[7:]} "):
        assert codes(SIGNED.replace(digits, written)) == []


def test_it_survives_json():
    assert codes(write(from_json(json.loads(json.dumps(to_json(only(SIGNED))))))) == []


def test_bytes_that_are_no_utf8_count_as_they_stand_in_the_file():
    def read(data: bytes) -> Record:
        (game,) = read_bytes(io.BytesIO(data), "old.tiro")
        return game.record

    record = signed(read(ANNOTATED.encode().replace(b"Cologne", b"K\xf6ln")), BOTH)
    data = write(record).encode("utf-8", "surrogateescape")
    assert b"K\xf6ln" in data
    assert checksum(read(data)) == record.header("Checksum")
    lines = [line for line in data.splitlines(keepends=True) if not line.startswith(b"[Checksum ")]
    assert sha256(b"".join(lines)).hexdigest()[:16] == checksum(record).replace(" ", "")


def test_signing_again_takes_the_place_of_the_earlier_signature():
    old = replace(only(SIGNED), headers=(*only(SIGNED).headers, ("CHECKSUM", "0"), ("signed", "somebody")))
    again = signed(old, ["Caesar"])
    assert [value for name, value in again.headers if name.lower() == "signed"] == ["Caesar"]
    assert [name for name, _ in again.headers if name.lower() == "checksum"] == ["Checksum"]
    assert codes(write(again)) == []
    assert only(write(again)) == again


def test_a_signature_without_a_checksum_is_told():
    (problem,) = told(with_headers('[Signed "Caesar"]'))
    assert (problem.code, problem.severity) == ("H210", WARNING)
    assert "Caesar" in problem.message
    for nobody in ("", "?", "-"):
        assert codes(with_headers(f'[Signed "{nobody}"]')) == []


@pytest.mark.parametrize("value", ["", "?", "3f2a 91c0", "3f2a 91c0 77de 04bx", "3f2a 91c0 77de 04b1 0", "٣" * 16])
def test_a_checksum_that_is_none_is_told(value: str):
    (problem,) = told(with_headers('[Signed "Caesar"]', f'[Checksum "{value}"]'))
    assert (problem.code, problem.severity) == ("H204", WARNING)


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_signing_changes_nothing_else(name: str):
    for seed in range(scaled(3, 200)):
        record = simulate(load_edition(name), seed)
        (before,), (after,) = parse(write(record)), parse(write(signed(record, BOTH)))
        assert check(after).verdict == check(before).verdict == "legal"
        assert not check(after).diagnostics
        assert replace(after.record, headers=()) == replace(record, headers=())


# ------------------------------------------------------------------------------------ texts made from a signed one


def test_the_canonical_form_keeps_a_signature():
    done = CliRunner().invoke(main, ["fmt", "-"], input=SIGNED.replace("\n0R ", "\n\n0R  ").encode())
    assert done.stdout == SIGNED


def test_a_view_is_not_signed():
    (game,) = parse(SIGNED)
    for keep in (True, False):
        headers = tironian.view(game, "table", keep_remarks=keep).record.headers
        assert not {"Signed", "Checksum"} & {name for name, _ in headers}
    assert tironian.view(game, "arbiter").record == game.record
    assert not {"Signed", "Checksum"} & {name for name, _ in timeline(game, view="caesar").headers}
    assert ("Signed", "Caesar, Cleopatra") in timeline(game).headers


def test_who_writes_down_what_he_sees_keeps_his_own_signature():
    (game,) = parse(write(signed(tironian.view(parse(ANNOTATED)[0], "caesar").record, ["Caesar"])))
    assert tironian.view(game, "caesar").record == game.record
    assert not tironian.view(game, "table").record.header("Signed")


def test_logs_that_are_joined_are_not_signed():
    rome, egypt = (tironian.view(parse(ANNOTATED)[0], view).record for view in ("caesar", "cleopatra"))
    logs = [parse(write(signed(log, [who])))[0] for log, who in ((rome, "Caesar"), (egypt, "Cleopatra"))]
    joined = merge(logs)
    assert not {"Signed", "Checksum"} & {name for name, _ in joined.record.headers}
    assert "Signed" not in write(joined.record)
    assert not [each for each in joined.diagnostics if each.code == "M206"]


def test_a_log_that_stands_alone_is_joined_with_nothing_and_stays_signed():
    assert write(merge(parse(SIGNED)).record) == SIGNED


def test_a_witness_is_not_signed():
    seen = tironian.view(parse(write(simulate(load_edition("2024"), 3)))[0], "caesar").record
    found = witness_of(signed(seen, ["Caesar"]))
    assert found is not None
    assert found == witness_of(seen)
