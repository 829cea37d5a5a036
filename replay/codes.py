"""The registry of codes: every diagnostic that there is, with its words. Each has its page in ``docs/codes``.

Templates are filled with the facts of a fault, put into words by :mod:`tironian.replay.wording`. ``rule`` names the
value or rule of the edition whose citation is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..notation.diagnostic import ERROR, NOTE, WARNING


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of diagnostic. ``breaks`` says that nothing after it can be judged: the cards can't be followed."""

    code: str
    title: str
    message: str
    here: str = ""
    help: str = ""
    rule: str = ""
    severity: str = ERROR
    breaks: bool = False


_ALL: Final = (
    # reading
    Code("N101", "Not a text file", ""),
    Code("N102", "Bytes that are no text", ""),
    Code("N103", "A line too long", ""),
    Code("N104", "An unreadable line", ""),
    Code("N105", "An unreadable word", ""),
    Code("N106", "A line out of place", ""),
    Code("N107", "No game", ""),
    Code("S001", "Not in canonical form", "this line is not in canonical form", "", "tiro fmt writes it as: {text}"),
    # headers
    Code("H201", "A required header is missing", "the header {name} is missing", "", 'add [{name} "…"]', severity=WARNING),
    Code("H202", "The rule set is not known", "{problem}", "", 'write one of [Rules "2024"], [Rules "1997"], [Rules "fr"], [Rules "taylor"], or give --rules'),
    Code("H203", "A header given twice", "the header {name} stands here twice, and the two differ", "the second", "keep the right one"),
    Code("H204", "A header's value has another form", "{name} can't be “{value}”", "", "{form}", severity=WARNING),
    Code("H205", "An unknown reading or variant", "{problem}", "", "tiro rules {edition} lists the options"),
    Code("H206", "An unknown word in a header", "{name} can't be “{value}”", "", "it is one of {allowed}"),
    Code("H207", "Two different results", "the header says {value}, the last line {line}", "", "the last line of a game and its Result header say the same"),
    Code("H208", "Unknown cards in an arbiter's record", "an arbiter's record knows every card, but this one does not", "an unknown card", 'write the card, or whose record it is: [View "table"]', severity=WARNING),
    # set-up
    Code("R101", "A set-up line is missing", "{owner}'s set-up line 0{side} is missing", "", "the first five cards and the missions stand on the lines 0R and 0E", "opening", breaks=True),
    Code("R102", "Two cards at one group in the set-up", "{group} already have a card of the set-up", "the second card", "each group gets exactly one", "opening"),
    Code("R103", "A card face up in the set-up", "the first five cards lie face down", "face up", "write the card in brackets: (3)A", "opening"),
    Code("R104", "A card that is not of the opening set", "{card} can't be placed in the set-up{again}", "", "the five cards are one set of 1 to 5", "opening"),
    Code("R105", "A group without a card in the set-up", "{groups} have no card of {owner}'s set-up", "", "each group gets exactly one of the cards 1 to 5", "opening", breaks=True),
    Code("R106", "A word that does not belong into a set-up line", "this has no place in a set-up line", "", 'hands, discards and bags are written only in a game with [Setup "position"]', "opening"),
    Code("R107", "The first action card", "{problem}", "", "{remedy}", "first_action"),
    Code("R108", "The order of the action pile", "{problem}", "", "", "ordered_actions"),
    Code("R109", "Caesar can't begin", "Caesar begins, but in these rules Cleopatra always does", "", "", "starter"),
    Code("R110", "The number of missions", "{count} missions are dealt here, but each side gets {dealt}", "", "write ? for a mission that is not known: m(?)", "missions_dealt"),
    Code("R111", "A mission that can't be dealt", "there is no such mission in these rules: {mission}", "", "", "mission_groups"),
    Code("R112", "More copies than there are", "a {copies_word} {card} in this position: {owner} has only {copies}", "", "count hand, table and discards", "influence_copies"),
    Code("R113", "More patricians than there are", "{count} of {group} are won in this position, but there are {size}", "", "", "groups"),
    # placing
    Code("R201", "A group that these rules don't have", "there are no {group_bare} in these rules", "", "the groups are {groups}", "groups", breaks=True),
    Code("R202", "An emptied group", "{group} are gone: all their patricians have been won", "", "", "emptied_group", breaks=True),
    Code("R203", "A card that is not in the hand", "{owner} has no {card_bare} in hand", "not in {owner_s} hand", "look for a wrong letter here, or in what {owner} drew and played before", breaks=True),
    Code("R204", "A sixth card at one's own side", "a {next} card at {group}: {player} already has {limit} there", "the {next} card", "", "side_limit"),
    Code("R205", "A ninth card at a group", "a {next} card at {group}: both sides together already have {limit} there", "the {next} card", "", "total_limit"),
    Code("R206", "No influence card placed", "{player} places no influence card, though he could", "", "at least one is placed when there is a card in hand and a free place", "must_place"),
    Code("R207", "Too many influence cards", "a {next} influence card in one turn", "the {next} card", "", "placement"),
    Code("R208", "A single card face up", "one card alone can't be placed face up", "", "two face up, or one face down", "placement"),
    Code("R209", "Not all cards placed in the last turn", "{player} keeps influence cards that he could place in his last turn", "", "in it every card in hand that fits is placed", "one_out"),
    Code("R210", "The wrong way up", "a second card {way} in one turn", "", "{allowed}", "placement"),
    Code("R211", "Placed, and said not to", "“-” says that no influence card is placed in this turn", "", "strike out one of the two", "must_place"),
    Code("R212", "An action in between", "the action card was played between the two influence cards", "", "an action comes before both or after both", "action_between"),
    # actions
    Code("R301", "A second action card", "a second action card in one turn{after_veto}", "the second", "", "one_action"),
    Code("R302", "An action without an influence card", "{player} has no influence card to place, so he can't play an action card", "", "he can only pass", "action_needs_influence"),
    Code("R303", "An action card that these rules don't have", "there is no {card_bare} in these rules", "", "", "actions", breaks=True),
    Code("R304", "A face-down victim", "only a face-up card can be assassinated", "face down", "", "assassinate_hidden"),
    Code("R305", "No such victim", "{opponent} has {count} {way} cards at {group}", "", "", "assassination", breaks=True),
    Code("R306", "Another card lies there", "{opponent} has no such {card_bare} at {group}; there lies {there}", "", "", "assassination", breaks=True),
    Code("R307", "Which card was hit?", "{count} hidden cards lie at {group}: this does not say which was hit", "", "write the card, or count from the oldest: x(2)P#2", "assassination", breaks=True),
    Code("R308", "A card without effect", "this action has no effect at {group}", "", "the reading null_actions=forbidden is in force", "null_actions"),
    Code("R309", "The scouted cards differ", "the scout saw {seen}, but hidden there lies {there}", "", "", "scout", breaks=True),
    Code("R310", "Castling needs two groups", "castling takes two different groups", "", "", "castling"),
    Code("R311", "Castling changed the cards", "{laid} lie there after the castling, but {lifted} were taken up", "", "the same cards are laid down again", "castling", breaks=True),
    Code("R312", "Castling above the own limit", "more than {limit} own cards at {group} after the castling", "", "", "side_limit"),
    Code("R313", "Castling above the limit of a group", "more than {limit} cards at {group} after the castling", "", "", "total_limit"),
    Code("R314", "No hand to spy on", "{owner} has no card in hand", "", "", "spy", breaks=True),
    Code("R315", "What did the spy take?", "this does not say which card was discarded", "", "write the card behind the y: y4; y? is not known to anyone", "spy", breaks=True),
    Code("R316", "The hand that the spy saw differs", "the spy saw {seen}, but {owner} holds {there}", "", "", "spy", breaks=True),
    Code("R317", "A vetoed action took effect", "a vetoed action is only announced: nothing is turned up, moved or taken", "", "write just the card and its target: sA v, cAQ v, y v", "veto_window"),
    Code("R319", "Nothing to veto", "there is no action just before this veto", "", "a veto stands right behind the action that it answers", "veto_window"),
    # votes
    Code("R401", "No special vote is due", "no special vote is due at {group}: {count} cards lie there{again}", "", "", "special_threshold"),
    Code("R402", "A special vote is missing", "{count} cards lie at {group}, but no special vote was held", "", "write it before going on: *{letter}…", "special_threshold"),
    Code("R404", "No bust or vote card comes now", "nothing is revealed in {why}", "", "", "reveal"),
    Code("R405", "No bust or vote card was revealed", "the turn goes on without a bust or vote card", "", "write what came: =A…, =o or =r", "reveal"),
    Code("R406", "A second bust or vote card", "a second one in the same turn", "the second", "", "reveal"),
    Code("R407", "It can't have come", "the {device} of {group} is already out and can't have come again", "", "it comes back only with =r", "reset"),
    Code("R408", "No orgy or grey bust is left", "it is already out and can't have come again", "", "it comes back only with =r", "reset"),
    Code("R409", "A vote for an emptied group", "{group} are gone: their vote card is put away and the next one turned up", "", "write ={letter}- and then the next card", "device_gone", breaks=True),
    Code("R410", "Put away too early", "{group} still have patricians: their vote card stays in the game", "", "", "device_gone"),
    Code("R411", "Put away twice", "the vote card of {group} is not in the pile", "", "", "device_gone"),
    # drawing
    Code("R501", "Too many cards drawn", "{drawn} cards drawn, but only {limit} may be", "", "", "hand_limit"),
    Code("R502", "The pile is empty", "{owner_s} {pile} pile holds only {left} cards", "", "", "piles", breaks=True),
    Code("R503", "Too few cards drawn", "{missing} cards fewer drawn than the rules ask for", "", "write the cards drawn, or +i and +a where they are not known", "hand_limit"),
    Code("R504", "A card that can't be there", "all copies of {card} have been seen: {owner} can't have drawn another", "", "look for a wrong letter here or earlier", "piles", breaks=True),
    Code("R505", "Not the top card", "{card} can't have come: in {owner_s} own order of the action pile {expected} is next", "", "", "ordered_actions"),
    Code("R506", "A replacement is missing", "{owner} draws a card in place of the one he lost", "", "write it behind a plus: v+3", ""),
    Code("R507", "No replacement is due", "{owner} gets no card in place of the one he lost", "", "", ""),
    # the turn
    Code("R601", "Out of order", "{step} comes too late: this turn has already got to {now}", "", "", "order"),
    Code("R602", "A word of the set-up", "this belongs into a set-up line", "", "set-up lines are 0R and 0E", "opening"),
    Code("R603", "An empty turn", "this turn says nothing", "", "write - for a pass", "passive"),
    Code("R604", "A passive turn", "a player who exchanges cards does nothing else in that turn", "", "", "passive"),
    Code("R605", "No exchange of cards now", "cards can't be exchanged here", "", "", "passive"),
    Code("R606", "The number of the turn", "this is turn {expected}, not {written}", "", "numbers count rounds", "turn"),
    Code("R607", "Whose turn is it?", "it is {expected}'s turn, not {written}'s", "", "look for a line that is missing before this one", "turn", breaks=True),
    # missions
    Code("R701", "No mission to choose", "{owner} has no mission to choose now", "", "missions are chosen when the first group is emptied", "mission_choice"),
    Code("R702", "The choice of missions is missing", "the first group is emptied: {owners} chooses a mission before anything else", "", "write mR1 or mR2, mE1 or mE2; ? where it is not known", "mission_choice"),
    Code("R703", "No such mission", "{owner} has no mission {kept}", "", "", "mission_choice"),
    # the end
    Code("R801", "After the end", "the game was over before this: {why}", "", "", "game_end", breaks=True),
    # what the record says of itself
    Code("C901", "The cards shown differ", "{owner} showed {shown} at {group}, but {there} lie there", "", "look at what was placed, moved and discarded at this group", "shown", breaks=True),
    Code("C902", "The vote went the other way", "{outcome}, not {winner}", "", "{reason}", "vote_result"),
    Code("C903", "The points differ", "the record says {written}, the scoring gives {counted}", "", "{breakdown}", "scoring"),
    Code("C904", "The tie-break", "{problem}", "", "", "tie_break"),
    Code("C905", "The game is not over", "the record has a result, but the game was not over", "", 'if it was broken off, say why: [Termination "resigned"]; if not, the last turns are missing', "game_end"),
    Code("C906", "The game was over", "the game came to its end by the rules, but Termination says “{value}”", "", "", "game_end", severity=WARNING),
    Code("C907", "No result", "the game is over, but the record has no result", "", "the scoring gives {counted}", "scoring", severity=WARNING),
    Code("C908", "Nobody wrote it down", "the record leaves out cards on which everything after depends", "", "from here on only what needs no cards has been checked", severity=NOTE),
    Code("C909", "The replay stops here", "after this the cards can't be followed any more", "", "from here on only what needs no cards has been checked", severity=NOTE),
    Code("C910", "The arbiter's word", "whether a mission in free words was fulfilled is the arbiter's word", "", "", "scoring", severity=NOTE),
    Code("C911", "A ruling about nothing", "there is nothing in this turn that the ruling could be about", "", "", severity=NOTE),
    Code("C912", "No verdict on a mission", "a mission in free words has no verdict", "", "write behind the result whether it was fulfilled: mR+ or mR-", "scoring", severity=WARNING),
)  # fmt: skip

CODES: Final = {code.code: code for code in _ALL}
"""Code → what it is."""
