# Needs python3 (3.11 or newer, with venv) and make. Everything else is installed into .venv.
#
#   make demo    explain a broken log, show a table and a vote, and write a page and pictures to demo/
#   make test    every check that a change must pass
#   make test-compiled    what the rules need, on a build that is compiled; part of make test where a compiler is
#   make full    the long runs: thousands of games, a million mutations
#   make table   what Lark makes of the grammar, to be kept: after a change of the grammar, or of Lark's version
#   make schemas what the JSON Schemas say of cards, tokens and editions, from the tables and classes
#   make messages    the catalogues of the languages, from the sentences in the sources
#   make pictures    those of the documents, and the score sheets to print
#   make desk-offline    Pyodide as a Python package, for tiro desk -o; needs npm
#   make docs    the site of docs/, in site/; with the desk beside it where `make desk-offline` was run
#   make api     the reference in docs/api.md, from the docstrings
#   make map     the files, doors and rooms in docs/files.md and docs/architecture.md
#   make instructions    count those of a check with valgrind, to be kept: after a change that is meant to alter them
#   make release the source and a wheel in dist/, made twice and tried with each Python that is here
#   make bench   measure speed, memory and start-up

PYTHON ?= python3
BIN := .venv/bin
# What is installed is compiled to bytecode when it is imported, which much of it never is.
# Twice quiet: setuptools warns of each editable install.
INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-compile
# It is kept, even where the environment says otherwise: tests start the tool hundreds of times.
export PYTHONDONTWRITEBYTECODE :=
# All extras but the package of Pyodide, which `make desk-offline` makes.
EXTRAS := desk,club,png,insight,cluster
JOBS ?= 2

SHOWN := examples/2024/annotated.tiro
BROKEN := examples/broken/card-not-in-hand.tiro

# Where a C compiler is, tests whose time goes into games and browsers run on the compiled build, and those that the
# rules need on both; all others run on Python files. ON_FILES put other functions into modules that would be compiled.
IN_GAMES := $(addprefix tests/,archive club desk event fuzz insight property recorder render repair screen simulation transcripts)
ON_FILES := $(addprefix tests/,property/test_frequencies.py property/test_mirrored.py recorder/test_draft.py)
ON_BOTH := $(addprefix tests/,test_build.py test_examples.py test_same_bytes.py test_values.py notation/test_hostile_values.py)
ON_BOTH += $(addprefix tests/,checking conformance engine knowledge rules)
ON_COMPILED := $(filter-out $(ON_FILES) $(ON_BOTH),$(wildcard $(addsuffix /test_*.py,$(IN_GAMES))) tests/test_pages.py)

# The compiled build lies beside the editable one, never in it.
COMPILED := .venv/compiled
SOURCES := setup.py pyproject.toml library grammar notation replay tools schemas desk docs/codes languages
PACKED = $(shell find $(SOURCES) -type f -not -name '*.pyc')

.PHONY: setup demo pictures test lint test-pure test-compiled full bench clean browser webassembly valgrind constraints table api map messages schemas instructions desk-offline docs release

setup: .venv/dev.stamp

# The first rule that runs looks at the interpreter, so that its fault is told in a sentence.
$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "There is no '$(PYTHON)' here; Tironian needs Python 3.11 or newer: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Tironian needs Python 3.11 or newer, and '$(PYTHON)' is not; name another: make PYTHON=python3.12" >&2; \
	  exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "'$(PYTHON)' comes without venv: install it (on Debian and Ubuntu: the package python3-venv)." >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/run.stamp: pyproject.toml constraints.txt | .venv/pip.stamp
	$(INSTALL) -c constraints.txt -e .
	@touch $@

# Older versions of pip know no groups. Nothing else is installed while pip itself is.
.venv/pip.stamp: constraints.txt | $(BIN)/python
	$(INSTALL) -c constraints.txt 'pip>=25.1'
	@touch $@

.venv/dev.stamp: pyproject.toml .venv/pip.stamp
	$(INSTALL) -c constraints.txt -e '.[$(EXTRAS)]' --group dev
	@touch $@ .venv/run.stamp .venv/docs.stamp

.venv/docs.stamp: pyproject.toml .venv/pip.stamp
	$(INSTALL) -c constraints.txt -e . --group docs
	@touch $@ .venv/run.stamp

.venv/bench.stamp: pyproject.toml .venv/pip.stamp
	$(INSTALL) -c constraints.txt -e . --group bench
	@touch $@ .venv/run.stamp

# A broken log and a whole game, in fewer lines than two screens; the rest is to be looked at, in demo/.
# What is installed stays, if it is this version: an editable installation would replace compiled modules.
demo:
	@$(BIN)/tiro --version 2>/dev/null | grep -qF "tiro $$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml) " \
	  || $(MAKE) .venv/run.stamp
	@mkdir -p demo
	@echo "A broken log, what is wrong with it, and what was probably meant:"
	@echo
	@$(BIN)/tiro check --suggest --quiet -o demo/broken.txt --force $(BROKEN); test $$? -eq 1
	@cat demo/broken.txt
	@echo "The table in the middle of another game, after its seventh vote:"
	@echo
	@$(BIN)/tiro show $(SHOWN) --at 5R
	@$(BIN)/tiro timeline $(SHOWN) --format html -o demo/game.html --force
	@$(BIN)/tiro timeline $(SHOWN) --format svg -o demo/game.svg --force
	@$(BIN)/tiro show $(SHOWN) --at 5R --format svg -o demo/table.svg --force
	@$(BIN)/tiro votes $(SHOWN) --vote 7 --format svg -o demo/vote-7.svg --force
	@$(BIN)/tiro votes $(SHOWN) --vote 8 --format svg -o demo/vote-8.svg --force
	@$(BIN)/tiro timeline $(BROKEN) --format html -o demo/broken.html --force 2>/dev/null; test $$? -eq 1
	@echo
	@echo "Now open these, best in this order:"
	@echo
	@echo "  demo/game.html     the whole game, to step through; it needs no server and no network"
	@echo "  demo/table.svg     the table above, as a picture"
	@echo "  demo/game.svg      the game at a glance"
	@echo "  demo/vote-7.svg    the seventh vote: what could have come, and why it went so; and demo/vote-8.svg"
	@echo "  demo/broken.html   the broken log, with what was probably meant where it breaks"
	@echo
	@echo "Read docs/the-game.md to learn the game, and README.md for everything else."

# Strict: a link that leads nowhere ends it.
docs: .venv/docs.stamp
	$(BIN)/python docs/site/pages.py
	$(BIN)/zensical build --strict --clean

pictures: .venv/docs.stamp
	$(BIN)/python docs/pictures/draw.py

# Pages are tested in a browser. Where there is none, those tests are skipped; in CI, as root, it is installed.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  test "$$CI" != true || test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null || \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; }

# Instructions are counted by valgrind, which root installs here.
valgrind:
	@command -v valgrind >/dev/null || test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null || \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends valgrind >/dev/null; }

# The library also runs in WebAssembly. Where there is no npm, that is not tested; in CI it is required. The version
# stands where pyproject.toml names the package of the extra `desk-offline`; this is the SHA-512 of what npm has of it.
PYODIDE := $(shell sed -n 's/.*tironian-pyodide==\([0-9.]*\).*/\1/p' pyproject.toml)
PYODIDE_HASH := d18bd7c4485f11da4b7dbfd790cd8114078c44eab488c517d9bcf31fda4eb6dc8c716930abe1db139bb2b860fcd8b37bcb6abe48dbe2ffa579244b0e943d91d4
PYODIDE_FILES := .venv/node/node_modules/pyodide
webassembly: .venv/node/pyodide-$(PYODIDE).stamp

.venv/node/pyodide-$(PYODIDE).stamp: | $(BIN)/python
	@command -v npm >/dev/null || test "$$CI" = true || exit 0; mkdir -p $(PYODIDE_FILES) && \
	  npm pack --silent --pack-destination .venv/node pyodide@$(PYODIDE) >/dev/null && \
	  $(BIN)/python -c 'import hashlib, sys; path, known = sys.argv[1:]; \
	    sys.exit(hashlib.sha512(open(path, "rb").read()).hexdigest() != known and f"{path} is not what it was")' \
	    .venv/node/pyodide-$(PYODIDE).tgz $(PYODIDE_HASH) && \
	  tar xzf .venv/node/pyodide-$(PYODIDE).tgz --strip-components 1 -C $(PYODIDE_FILES) && touch $@

# The package of the extra `desk-offline`: Pyodide's files with their licences, built into dist/ and installed here.
desk-offline: webassembly .venv/run.stamp
	rm -rf .venv/desk
	mkdir -p .venv/desk/tironian_pyodide dist
	sed 's/^version = .*/version = "$(PYODIDE)"/' packaging/pyodide/pyproject.toml > .venv/desk/pyproject.toml
	cp -R packaging/pyodide/licences .venv/desk/tironian_pyodide
	touch .venv/desk/tironian_pyodide/__init__.py
	cd $(PYODIDE_FILES) && cp pyodide.mjs pyodide.asm.mjs pyodide.asm.wasm python_stdlib.zip pyodide-lock.json \
	  $(abspath .venv/desk/tironian_pyodide)
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .venv/desk
	$(INSTALL) --no-deps --force-reinstall dist/tironian_pyodide-$(PYODIDE)-py3-none-any.whl

# The tests on Python files run while the rules are compiled, and then beside those of the compiled build: many of them
# wait for browsers and processes, so there are more workers than cores, most of them where most of the work is.
test:
	@if command -v $${CC:-cc} >/dev/null; then \
	  $(MAKE) --no-print-directory -j4 lint test-compiled test-pure; \
	  else $(MAKE) --no-print-directory -j2 lint test-pure; \
	  echo "There is no C compiler here: the compiled rules are not tested."; fi

lint: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python

test-pure: .venv/dev.stamp browser webassembly
	$(BIN)/pytest -n $(JOBS) $(if $(shell command -v $${CC:-cc}),$(addprefix --ignore ,$(ON_COMPILED)))

# It is made of a copy, so that it doesn't meet the editable install, which may be under way.
.venv/compiled.stamp: $(PACKED) | .venv/pip.stamp
	rm -rf $(COMPILED) .venv/copy
	mkdir .venv/copy
	tar cf - README.md LICENSE $(SOURCES) | tar xf - -C .venv/copy
	TIRONIAN_PURE=0 TIRONIAN_OPT=1 $(INSTALL) --no-deps --target $(COMPILED) .venv/copy
	rm -rf .venv/copy
	@touch $@

test-compiled: .venv/compiled.stamp .venv/dev.stamp browser webassembly
	TIRONIAN_PURE=0 TIRONIAN_BUILD=compiled PYTHONPATH=$(abspath $(COMPILED)) $(BIN)/pytest -n $(shell expr $(JOBS) + 1) \
	  $(ON_COMPILED) $(ON_BOTH)

full: .venv/dev.stamp
	TIRO_FULL=1 $(BIN)/pytest --timeout 0 -n $(JOBS) --dist load

bench: .venv/bench.stamp .venv/compiled.stamp valgrind
	$(BIN)/python benchmarks/peers.py --games 2000 --seed 1
	$(BIN)/python benchmarks/processes.py --games 5000 --seed 1
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/memory.py
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/exports.py
	TIRONIAN_PURE=0 PYTHONPATH=$(abspath $(COMPILED)) $(BIN)/python benchmarks/instructions.py

api: .venv/run.stamp
	$(BIN)/python tests/api_page.py

map: .venv/run.stamp
	$(BIN)/python tests/house.py

instructions: .venv/compiled.stamp valgrind
	TIRONIAN_PURE=0 PYTHONPATH=$(abspath $(COMPILED)) $(BIN)/python benchmarks/instructions.py --keep

messages: .venv/dev.stamp
	$(BIN)/python languages/catalogues.py

schemas: .venv/run.stamp
	$(BIN)/python tests/schema_parts.py

table: .venv/run.stamp
	PYTHONHASHSEED=0 $(BIN)/python -c 'from tironian.notation.parser import new_table; print(new_table(), end="")' \
	  > grammar/tiro.json
	$(BIN)/python tests/common_words.py

.venv/release.stamp: pyproject.toml .venv/pip.stamp
	$(INSTALL) -c constraints.txt --group release
	@touch $@

release: .venv/release.stamp
	$(BIN)/python packaging/release.py

# The newest versions that fit together, from a fresh environment.
constraints: | $(BIN)/python
	rm -rf .venv/fresh
	$(PYTHON) -m venv .venv/fresh
	.venv/fresh/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	TIRONIAN_PURE=1 .venv/fresh/bin/python -m pip install --quiet --disable-pip-version-check '.[$(EXTRAS)]' \
	  $(addprefix --group ,dev bench release)
	.venv/fresh/bin/python -m pip freeze --all --exclude tironian --exclude setuptools > constraints.txt
	rm -rf .venv/fresh

clean:
	rm -rf .venv .cache demo site build dist *.egg-info .pytest_cache .ruff_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
