"""Why an entry was not accepted, in words: the most useful lines first, since there may be no room for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .cursor import Phase
from .proposals import proposed_words
from .recorder import Recorder, Refusal

_ASKED: Final = "did you mean"
"""How the words begin that name another one."""


def refusal_lines(recorder: Recorder) -> list[str]:
    """Return why an entry was not accepted, and what can be done; nothing where none was refused."""
    refusal = recorder.refusal
    objections = refusal.objections if refusal else ()
    meant, lines = _meant(recorder), []
    is_judged = refusal and any(fault.code for fault in objections) and not _is_unread(refusal)
    insist = ["  if it really happened: /insist records it, for the arbiter to rule on"] if is_judged else []
    for number, fault in enumerate(objections):
        is_said = bool(meant) and fault.help.startswith(_ASKED)
        rule = f"  rule {fault.rule}" + f": {fault.cite}" * bool(fault.cite)
        lines.append(f"{fault.message}{f' [{fault.code}]' if fault.code else ''}")
        lines += (meant if not number else []) + [f"  {fault.help}"] * (bool(fault.help) and not is_said)
        lines += (insist if not number else []) + [rule] * bool(fault.rule)
    return lines


def _meant(recorder: Recorder) -> list[str]:
    """Return which words were probably meant by a refused one, and how to look for a slip further back."""
    refusal = recorder.refusal
    if refusal is None:
        return []
    words = proposed_words(recorder)
    texts, numbers = [word.words for word in words], [str(number) for number in range(1, len(words) + 1)]
    # A word that can't be read says nothing about those before it.
    is_judged = refusal.item is not None and recorder.draft.cursor.phase is Phase.PLAY and not _is_unread(refusal)
    back = "; an earlier slip: /repair" if is_judged else ""
    if words:
        return [f"  {_ASKED} {_either(texts)}? /repair {_either(numbers)}{back}"]
    return [f"  {back.removeprefix('; ')} looks for it"] * bool(back)


def _is_unread(refusal: Refusal) -> bool:
    return any(fault.code.startswith("N") for fault in refusal.objections)


def _either(texts: Sequence[str]) -> str:
    """Return texts with an “or” before the last."""
    return " or ".join([*[", ".join(texts[:-1])] * (len(texts) > 1), texts[-1]])
