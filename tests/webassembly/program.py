"""What a page can do without a server: read, judge, repair, tell, and record a game. Run by Pyodide."""

import sys

import tironian
from typed_records import EXAMPLES, bare, entries, is_due, recorder_of

whole = (EXAMPLES / "2024" / "tie-break.tiro").read_text(encoding="utf-8")
broken = (EXAMPLES / "broken" / "card-not-in-hand.tiro").read_text(encoding="utf-8")

game = tironian.parse(whole)[0]
print("check", tironian.check(game).verdict, tironian.check(tironian.parse(broken)[0]).verdict)
print("repair", len(tironian.find_repairs(tironian.parse(broken)[0])) > 0)
print("timeline", len(tironian.timeline(game).entries) == len(game.record.turns))
print("votes", len(tironian.votes(game)) > 0)

record = bare(game.record)
recorder = recorder_of(record)
for label, entry in entries(record):
    if is_due(recorder, label, entry):
        assert recorder.enter(entry), recorder.refusal
print("record", tironian.check(recorder.draft.record).verdict)

heavy = {"click", "jinja2", "jsonschema", "rich", "rpds"}
print("loaded", *sorted(heavy & {name.partition(".")[0] for name in sys.modules}))
