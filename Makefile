# Every command by which Pathfinder is installed, run, checked and measured; `make` alone prints them.
PYTHON ?= python3
PORT   ?= 8501
DEMO   := build/landmarks
CORPUS ?= $(DEMO)

MEASURE := .venv/bin/python -m benchmarks
ASTRO_QUESTIONS = $(DATA)/retrieval/astro_single_paper/queries.jsonl
WORKERS ?= 3
PYTEST  := .venv/bin/python -m pytest --dist loadfile --no-loadscope-reorder
ENGINES := .venv/bin/python -m pytest tests_engines
RAY := env PYTHONPATH=.venv-ray .venv/bin/python -m pytest tests_ray
OWN_NETWORK := unshare --map-root-user --net sh -c 'ip link set lo up && exec "$$@"' sh
PIP := .venv/bin/python -m pip --disable-pip-version-check install

help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

app: .venv/project ## open Pathfinder in the browser; CORPUS=DIR opens another corpus, PORT=8502 another port
	$(if $(filter $(DEMO),$(CORPUS)),@$(OPEN_DEMO))
	PATHFINDER_CORPUS="$(CORPUS)" .venv/bin/python server.py --page-only --open --port $(PORT)

# The tests start hundreds of processes, which would compile every module again if bytecode were not stored.
test check soak test-wire test-engines: export PYTHONDONTWRITEBYTECODE =

# Workers share the cores: a small product that is divided among threads takes more processor time, and no less time.
test check soak: export OPENBLAS_NUM_THREADS = 1
test check soak: export OMP_NUM_THREADS = 1

test: .venv/tools ## run every test but the long ones (make soak); those in a browser need Chromium or Chrome; WORKERS=1 runs one file after the other
	$(PYTEST) -n $(WORKERS)

check: .venv/tools ## style, types, and the tests that need neither a browser nor a build: the quick half
	.venv/bin/python -m ruff check .
	.venv/bin/python -m ruff format --check .
	.venv/bin/lint-imports --no-logo --no-cache
	.venv/bin/python -m mypy --strict pathfinder app.py server.py pages & types=$$!; \
	$(PYTEST) -q -n $(WORKERS) -m "not browser and not build and not soak"; tests=$$?; \
	wait $$types && exit $$tests

# Ray listens on all addresses, as Milvus does below. Drafts are compiled by pdfLaTeX (Debian: texlive-latex-recommended).
soak: .venv/tools .venv-ray/pins ## run the tests that take minutes each; they fail where there is no Chromium or Chrome, or no pdflatex
	@if $(OWN_NETWORK) true 2>/dev/null; then $(OWN_NETWORK) $(RAY); else $(RAY); fi
	PATHFINDER_REQUIRE_BROWSER=1 $(PYTEST) -m soak

test-wire: .venv/tools .venv-wire/pins ## run the tests over a real proxy of chat models (LiteLLM), installed apart
	.venv/bin/python -m pytest tests_wire

# Milvus listens on all addresses: each of two servers gets a network of its own, with nothing but loopback, where the
# system allows that. While tests wait for one server, those of the other go on.
test-engines: .venv/tools .venv-engines/pins ## run the tests over a real Milvus server, installed apart, and over its engine of one process
	@$(OWN_NETWORK) true 2>/dev/null || { $(ENGINES); exit; }; \
	$(OWN_NETWORK) $(ENGINES) -k "lite or faults" & others=$$!; \
	$(OWN_NETWORK) $(ENGINES) -k "not lite and not faults"; server=$$?; \
	wait $$others && exit $$server

lint: .venv/tools ## check style, format, who imports whom, and types
	.venv/bin/python -m ruff check .
	.venv/bin/python -m ruff format --check .
	.venv/bin/lint-imports --no-logo --no-cache
	.venv/bin/python -m mypy --strict pathfinder app.py server.py pages

bench: .venv/tools ## measure quality and speed on DATA=DIR, a folder with retrieval/ and corpora/; hours, most of them spent building
	@test -d "$(DATA)/retrieval" || { echo "make bench needs DATA=DIR, a folder with retrieval/ and corpora/" >&2; exit 1; }
	mkdir -p build/bench
	$(MEASURE).retrieval "$(DATA)" --cache build/bench/vectors --json build/bench/retrieval.json
	$(MEASURE).building "$(DATA)/corpora/astroph_2025_2026.jsonl.gz" --json build/bench/building.json
	.venv/bin/pathfinder build "$(DATA)/corpora/astroph_2025_2026.jsonl.gz" --out build/bench/astro
	-$(MEASURE).patterns --corpus build/bench/astro --json build/bench/patterns.json
	$(MEASURE).abstention build/bench/astro --answerable "$(ASTRO_QUESTIONS)" --off-topic benchmarks/off_topic_held_out.txt
	$(MEASURE).outliers build/bench/astro --questions "$(ASTRO_QUESTIONS)"
	$(MEASURE).landscape build/bench/astro
	$(MEASURE).map_page build/bench/astro
	$(MEASURE).retrieval "$(DATA)" --ablation build/bench/RETRIEVAL.md --cache build/bench/vectors
	$(MEASURE).local_reranker "$(DATA)" build/bench
	$(MEASURE).arguing --json build/bench/arguing.json
	.venv/bin/pathfinder build "$(DATA)/corpora/arxiv_cs_108k.jsonl.gz" --out build/bench/arxiv-cs
	$(MEASURE).speed build/bench/arxiv-cs "$(ASTRO_QUESTIONS)" --json build/bench/speed.json

clean: ## remove all that these commands made, the virtual environments included
	rm -rf .venv .venv-wire .venv-engines .venv-ray build *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

# What is installed is said by the empty files .venv/pins, project and tools; a change of what they rest on installs again.
.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo "Pathfinder needs Python 3.11 or newer, \
	and $(PYTHON) is $$($(PYTHON) --version 2>/dev/null || echo not there): name another, as in PYTHON=python3.12 make app" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv || { rm -rf .venv; exit 1; }

# The lists name every dependency, so pip resolves nothing: an older pip stops where a package asks for another with an
# extra, as pydantic[email], and a newer release than the listed one is out.
.venv/pins: .venv/pyvenv.cfg requirements.txt requirements-model.txt
	$(PIP) --require-hashes --no-deps -r requirements.txt
	$(PIP) --require-hashes --no-deps -r requirements-model.txt
	@touch $@

.venv/project: .venv/pins pyproject.toml requirements.in
	$(PIP) --quiet --no-build-isolation --no-deps --editable .
	@touch $@

.venv/tools: .venv/project requirements-dev.txt
	$(PIP) --require-hashes --no-deps -r requirements-dev.txt
	@touch $@

# The proxy pins other versions of what Pathfinder uses, so it has a virtual environment of its own.
.venv-wire/pins: .venv/pyvenv.cfg requirements-wire.txt
	.venv/bin/python -m venv --clear .venv-wire
	.venv-wire/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --no-deps -r requirements-wire.txt
	@touch $@

.venv-engines/pins: .venv/pyvenv.cfg requirements-engines.txt
	.venv/bin/python -m venv --clear .venv-engines
	.venv-engines/bin/python -m pip --disable-pip-version-check install --quiet --require-hashes --no-deps -r requirements-engines.txt
	@touch $@

# Ray needs nothing but what is in the first environment already, and stands beside it.
.venv-ray/pins: .venv/pyvenv.cfg requirements-ray.txt
	rm -rf .venv-ray
	$(PIP) --quiet --require-hashes --no-deps --target .venv-ray -r requirements-ray.txt
	@touch $@

# A build only ever adds papers, so a demo corpus of another list, or of another layout, is removed and built anew. The
# page opens as soon as its papers can be searched; the build goes on behind it, and the empty file $(DEMO).whole says
# that it has ended. A build that was stopped is taken up at the next start.
BUILD_DEMO := .venv/bin/pathfinder build data/landmarks.jsonl --out $(DEMO)
DEMO_SOURCES := data/landmarks.jsonl pathfinder/corpus/manifest.py
define OPEN_DEMO
for source in $(DEMO_SOURCES); do \
	  if [ -e $(DEMO)/manifest.json ] && [ $$source -nt $(DEMO)/manifest.json ]; then rm -rf $(DEMO) $(DEMO).whole; fi; \
	done; \
	if [ ! -e $(DEMO).whole ]; then \
	  { $(BUILD_DEMO) --open-early && touch $(DEMO).whole; } & \
	  while [ ! -e $(DEMO)/manifest.json ]; do kill -0 $$! 2>/dev/null || exit 1; sleep 0.2; done; \
	fi
endef

$(DEMO)/manifest.json: $(DEMO_SOURCES) | .venv/project
	rm -rf $(DEMO) $(DEMO).whole
	$(BUILD_DEMO)
	touch $(DEMO).whole

.PHONY: help app test check soak test-wire test-engines lint bench clean
