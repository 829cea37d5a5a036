"""The recorder's answers: what an entry or an undo changed, why an entry was not accepted, what was probably meant.

Proposals have been tried. There is little time at the table, so the search looks at fewer candidates than ``tiro
repair``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import merge
from itertools import groupby, islice, permutations
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple

from ...notation.basics import ACTION_CARDS, visible
from ...notation.extra import join_or
from ...notation.language import phrase
from ...notation.records import Diagnostic, Record, Turn, token_text
from ...notation.records import tokens as t
from ...replay.checking.api import check
from ...replay.diagnostics.api import LEGAL, POSSIBLE, join
from ...replay.engine.api import VIEWS, violations
from ..repair.api import (
    Repair,
    Vocabulary,
    counted_tokens,
    find_repairs,
    intended_words,
    with_note,
    with_old_lines,
    without_cards,
)
from .cursor import Phase, says_all_of
from .draft import Draft
from .editing import Item, NewTurn, items_of, put, without
from .recorder import Recorder, Refusal


def already_recorded_message(draft: Draft, typed: str) -> str:
    """Return a sentence saying that the typed words are already in a record, and where."""
    item = next((item for item in items_of(draft, typed) if not isinstance(item, NewTurn)), None)
    if item is None:
        return phrase("{typed} is the turn that is being written", typed=typed)
    for turn in reversed(draft.record.turns):
        for token in reversed(turn.tokens):
            if _covers(token, item):
                place = f"{turn.label} {token_text(token)}"
                return phrase("{typed} is in the record already: {place}", typed=typed, place=place)
    return phrase("{typed} is in the record already", typed=typed)


def _covers(token: t.Token, item: Item) -> bool:
    """Return whether a token of the record says what an item says, or more."""
    if isinstance(token, t.Draw) and isinstance(item, t.Draw):
        return without(token.cards, item.cards) is not None
    return token == item or (isinstance(item, t.AnyVote | t.Action) and says_all_of(token, item))


MAX_WORDS: Final = 3
"""The most words that are proposed instead of a refused one."""
MAX_PROPOSALS: Final = 9
"""The most proposals that are shown."""
BUDGET: Final = 6_000
"""The most candidates that a search for repairs follows."""
_RARE_COST: Final = 5.0
"""The least cost at which a word is proposed only after a search for repairs: for example, a vote with one card
fewer.
"""
_TRIED: Final = 12
"""The most words that are tried instead of a refused one, among those that the law allows at first sight."""


class Proposal(NamedTuple):
    """What was probably meant, in words, and what to do. ``why`` names the slip.

    ``record`` is the repaired record, including the refused entry, or None if another entry is enough; then ``items``
    are entered. ``cost`` says how rare the slip is: the same cost means the same likelihood.
    """

    words: str
    cost: float
    items: tuple[Item, ...]
    why: str = ""
    record: Record | None = None
    turn: str = ""


def proposals(recorder: Recorder) -> list[Proposal]:
    """Return what was probably meant: first other words instead of the refused one, then repairs of the record, among
    which words that are seldom meant appear by likelihood.

    There are at most MAX_PROPOSALS, and one more if others exist; none if nothing was refused and nothing is wrong.
    Nothing is changed.
    """
    words, include_rare = proposed_words(recorder), proposed_words(recorder, include_rare=True)
    repairs = (proposal for proposal in _repairs(recorder) if _fits(recorder, proposal))
    return [*words, *islice(merge(repairs, include_rare, key=attrgetter("cost")), MAX_PROPOSALS + 1 - len(words))]


def take(recorder: Recorder, proposal: Proposal) -> bool:
    """Record a proposal; return whether everything that was typed is now accepted. Raise NotKept if it can't be
    saved.
    """
    if proposal.record is not None:
        recorder.keep(proposal.record, "repaired", proposal.turn)
    return recorder.enter_items(proposal.items)


def alike(found: Sequence[Proposal]) -> list[str]:
    """Return a sentence for each group of equally likely proposals."""
    sentences: list[str] = []
    for _, group in groupby(enumerate(found, 1), lambda each: (each[1].record is None, round(each[1].cost, 6))):
        numbers = [number for number, _ in group]
        names = [str(number) for number in numbers if number <= MAX_PROPOSALS]
        if numbers[-1] > MAX_PROPOSALS:
            names.append(phrase("others"))
        if len(names) > 1:
            sentences.append(phrase("{numbers} are equally likely", numbers=join(names)))
    return sentences


def numbered(found: Sequence[Proposal]) -> list[str]:
    """Return proposals as lines, and how to take one."""
    rows = [f"{number}. {each.words}{f' ({each.why})' if each.why else ''}" for number, each in enumerate(found, 1)]
    equal = [f"  {sentence}" for sentence in alike(found)]
    return [*rows[:MAX_PROPOSALS], *equal, f"  {phrase('nothing has been changed yet: /repair 1 takes the first')}"]


def nothing_proposed(recorder: Recorder) -> str:
    """Return why nothing is proposed."""
    if recorder.draft.by_form:
        return phrase("in tournament mode nothing is judged before the game is over: /end normal")
    if recorder.refusal is None and not recorder.is_broken:
        return phrase("nothing was refused and nothing is wrong")
    return phrase("no repair was found; /edit 7E rewrites a turn")


def _fits(recorder: Recorder, proposal: Proposal) -> bool:
    """Return whether nothing is wrong once a proposal is taken, apart from the words typed after it."""
    trial = recorder.scratch_copy()
    if not take(trial, proposal._replace(items=() if proposal.record else proposal.items)):
        return False
    if trial.draft.cursor.phase is Phase.SET_UP:
        return True  # missing parts there are not a slip
    return trial.draft.cursor.phase is not Phase.BLIND and not trial.draft.errors


# ------------------------------------------------------------------------------------ another word instead of one


def proposed_words(recorder: Recorder, *, include_rare: bool = False) -> list[Proposal]:
    """Return the words that were probably meant instead of the refused one and are accepted here, the likeliest first;
    with ``include_rare``, the words for a vote whose cards were turned up: a wrong card was more likely placed than
    written.
    """
    refusal = recorder.refusal
    if refusal is None or refusal.item is None or recorder.draft.cursor.phase is Phase.BLIND:
        return []
    items, span = (refusal.item, *refusal.rest), refusal.objections[0].span
    at = next((at for at, item in enumerate(items) if isinstance(item, t.Unread)), 0)
    if isinstance(unread := items[at], t.Unread) and span.end - span.start != len(unread.text):
        return []  # it is only unfinished, or a part of what can't be read
    fitting = (
        Proposal(token_text(token), cost, (*items[:at], token, *items[at + 1 :]), why)
        for token, cost, why in islice(
            _candidates(recorder, items[at], is_next=not at, include_rare=include_rare), _TRIED
        )
        if _fits(recorder, Proposal("", cost, (*items[:at], token)))
    )
    return [*islice(fitting, MAX_WORDS)]


def _candidates(
    recorder: Recorder, item: Item, *, is_next: bool, include_rare: bool
) -> Iterator[tuple[t.Token, float, str]]:
    """Yield the words that may have been meant instead of one, the likeliest first, without words that the law forbids
    here; with ``include_rare``, the words that are seldom meant.
    """
    cursor, is_vote = recorder.draft.cursor, isinstance(item, t.AnyVote)
    words = [each for each in _other_words(recorder, item) if (is_vote and each[1] > _RARE_COST) == include_rare]
    state = cursor.state if is_next and not cursor.pending else None
    for each in sorted(words, key=itemgetter(1)):
        if state is None or not violations(state, each[0]):
            yield each


def _other_words(recorder: Recorder, item: Item) -> Iterator[tuple[t.Token, float, str]]:
    """Yield words that may have been meant instead of a word, each with the cost and the name of the slip."""
    edition, cursor = recorder.draft.frame.edition, recorder.draft.cursor
    if isinstance(item, t.Unread):
        yield from ((token, cost, "") for token, cost in intended_words(item.text).items())
    elif isinstance(item, t.Token) and edition is not None:
        if isinstance(item, t.Draw) and edition.ordered_actions:
            yield from ((draw, 0.0, phrase("the cards in another order")) for draw in _reordered(item))
        for token, slip, cost in Vocabulary(edition, recorder.draft.frame.view).rewritings(item, cursor.side):
            yield token, cost, phrase(slip.title)


def _reordered(draw: t.Draw) -> Iterator[t.Draw]:
    """Yield a draw with its action cards in every other order, the only order that can be known."""
    actions = [card for card in draw.cards if card in ACTION_CARDS]
    for order in dict.fromkeys(permutations(actions)):
        rest = iter(order)
        if order != tuple(actions):
            yield t.Draw(tuple([next(rest) if card in ACTION_CARDS else card for card in draw.cards]))


# ------------------------------------------------------------------------------------------- repairs of the record


def _repairs(recorder: Recorder) -> Iterator[Proposal]:
    """Yield repairs of the record with the refused entry, or of a record that breaks the rules, the likeliest first."""
    draft, refusal = recorder.draft, recorder.refusal
    if draft.frame.edition is None or draft.cursor.phase is Phase.SET_UP:
        return
    if refusal is not None:
        yield from _refused_repairs(recorder, refusal)
    elif recorder.is_broken:
        bare = _bare(draft, draft.record)
        if check(bare).verdict in (LEGAL, POSSIBLE):
            record, words = _counted(bare, bare, draft.record)
            yield Proposal(words, 0.0, (), record=record)
        for repair in find_repairs(draft.record, budget=BUDGET):
            yield _proposal(repair, draft.record, draft.record, draft.record, ())


def _refused_repairs(recorder: Recorder, refusal: Refusal) -> Iterator[Proposal]:
    """Yield repairs of the record with the refused entry."""
    item, record = refusal.item, recorder.draft.record
    if item is None:
        return
    broken = put(recorder.without_given(item), item)
    bare = _bare(recorder.draft, broken, cards_removed=isinstance(item, t.AnyVote) and item.rome is not None)
    for repair in find_repairs(bare, budget=BUDGET):
        if not _is_last_word(repair, record, broken):
            yield _proposal(repair, bare, broken, record, refusal.rest)


def _is_last_word(repair: Repair, record: Record, broken: Record) -> bool:
    """Return whether a repair only replaces or drops the refused word; such repairs have already been proposed."""
    edit, last = repair.edits[0], len(broken.turns) - 1
    if len(repair.edits) > 1 or edit.begin != last or len(edit.turns) != 1:
        return False
    before = record.turns[last].tokens if last < len(record.turns) else ()
    return edit.at >= len(before) and len(edit.turns[0].tokens) <= len(broken.turns[last].tokens)


def _proposal(repair: Repair, searched: Record, broken: Record, record: Record, rest: tuple[Item, ...]) -> Proposal:
    """Return a repair as a proposal, with comments that keep the lines of the ``record`` that it changes."""
    words = [*repair.description]
    counted, again = _counted(with_old_lines(repair.edits, searched, record.turns), searched, broken)
    if again:
        words.append(again)
    first = repair.edits[0]
    turn = first.turns[0] if first.turns else broken.turns[min(first.begin, len(broken.turns) - 1)]
    return Proposal("; ".join(words), repair.cost, rest, "", counted, turn.label)


def _bare(draft: Draft, record: Record, *, cards_removed: bool = False) -> Record:
    """Return the record without the cards of its votes and scouts; ``cards_removed`` says that the
    cards of its last word were typed.

    A person who sees all cards and enters =A or sA leaves the cards to the recorder, so they are not evidence of a
    slip.
    """
    if draft.frame.view != VIEWS[0]:
        return record
    turns = [*record.turns]
    for place, turn in enumerate(turns):
        tokens = tuple(map(without_cards, turn.tokens))
        if cards_removed and place == len(turns) - 1:
            tokens = (*tokens[:-1], turn.tokens[-1])
        turns[place] = replace(turn, tokens=tokens) if tokens != turn.tokens else turn
    return replace(record, turns=tuple(turns))


def _counted(record: Record, bare: Record, old: Record) -> tuple[Record, str]:
    """Return a record with the cards of its votes and scouts filled in again, and which turns that has changed.

    ``bare`` is the searched record without them, ``old`` the record before: a turn with the same result stays the same,
    and any other turn gets a comment with its old line.
    """
    whole = counted_tokens(record)
    was = dict(zip(bare.turns, old.turns, strict=True))
    turns: list[Turn] = []
    changed: list[str] = []
    for place, turn in enumerate(record.turns):
        tokens = tuple([whole.get((place, at), token) for at, token in enumerate(turn.tokens)])
        new, before = replace(turn, tokens=tokens), was.get(turn)
        if before is not None and before.tokens == tokens:
            new = before
        elif before is not None:
            new = with_note(new, "counted anew", (before,))
            changed += [f"{turn.label} {token_text(token)}" for token in tokens if token not in before.tokens]
        turns.append(new)
    said = phrase("counted anew: {words}", words=", ".join(changed)) if changed else ""
    return replace(record, turns=tuple(turns)), said


def refusal_lines(recorder: Recorder) -> list[str]:
    """Return why an entry was not accepted, and what can be done; nothing if no entry was refused."""
    refusal = recorder.refusal
    if refusal is None:
        return []
    meant, first = _intended_words(recorder, refusal), refusal.objections[0]
    lines = [_with_code(first), *meant]
    before, _, after = phrase("did you mean {words}?", words="\0").partition("\0")
    if first.help and not (meant and first.help.startswith(before) and after in first.help):
        lines.append(f"  {first.help}")
    if on := _next_steps(recorder, refusal):
        lines.append(f"  {on}")
    if first.rule:
        rule = phrase("rule {rule}", rule=first.rule)
        lines.append(f"  {rule}: {first.cite}" if first.cite else f"  {rule}")
    return [*lines, *[f"  {phrase('also: {fault}', fault=_with_code(fault))}" for fault in refusal.objections[1:]]]


def _next_steps(recorder: Recorder, refusal: Refusal) -> str:
    """Return what can be done if the word was not a slip."""
    if _is_judged(refusal) or any(fault.code for fault in refusal.objections[1:]):
        return phrase("if it really happened: /insist records it, for the arbiter to rule on")
    if refusal.objections[0].code or recorder.draft.frame.is_broken_off:
        return ""
    if isinstance(refusal.item, t.Unread):
        return phrase("/legal {word} says what they mean", word=visible(refusal.item.text))
    if isinstance(refusal.item, t.AnyVote | t.Castle):
        return phrase("if they are not known: /insist goes on without them, and then nothing can be judged")
    return ""


def _with_code(fault: Diagnostic) -> str:
    return f"{fault.message} [{fault.code}]" if fault.code else fault.message


def _intended_words(recorder: Recorder, refusal: Refusal) -> list[str]:
    """Return the words that were probably meant instead of a refused one, and how to look for a slip further back."""
    words = proposed_words(recorder)
    texts, numbers = [word.words for word in words], [str(number) for number in range(1, len(words) + 1)]
    may_lie_back = refusal.item is not None and recorder.draft.cursor.phase is Phase.PLAY and _is_judged(refusal)
    if words:
        said = {"words": join_or(texts), "numbers": join_or(numbers)}
        if may_lie_back:
            return [f"  {phrase('did you mean {words}? /repair {numbers}; an earlier slip: /repair', **said)}"]
        return [f"  {phrase('did you mean {words}? /repair {numbers}', **said)}"]
    return [f"  {phrase('an earlier slip: /repair looks for it')}"] if may_lie_back else []


def _is_judged(refusal: Refusal) -> bool:
    """Return whether a rule is the reason: a word that can't be read, or comes too early, says nothing about those
    before it.
    """
    return refusal.objections[0].code[:1] not in ("", "N")
