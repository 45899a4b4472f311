# Every target makes its own environment: a machine needs Python (3.11 or newer) and make, no more.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo axe test test-slow fuzz pages api docs coverage bench-quick bench-speed mutants lint types format clean

help:  ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1: \2/p' $(MAKEFILE_LIST)

# Stamps, so that an install runs again only when what is installed has changed.
$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.package: $(VENV)/.created pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.package
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

$(VENV)/.cli: $(VENV)/.package
	$(BIN)/python -m pip install --quiet --editable '.[cli]'
	@touch $@

demo: $(VENV)/.cli  ## extract a rule list from a forest on an embedded data set and print it
	$(BIN)/hedgerow demo

# Tests of reports ask axe whether a page is accessible; without it they are skipped. This is the one target for which a
# machine needs npm.
tests/axe/node_modules/.installed: tests/axe/package.json
	cd tests/axe && npm install
	@touch $@

axe: tests/axe/node_modules/.installed  ## install the checker of accessibility that tests of reports ask (needs npm)

test: $(VENV)/.test  ## run the tests
	$(BIN)/python -m pytest -n auto

test-slow: $(VENV)/.test  ## run the tests that take long
	$(BIN)/python -m pytest -n auto -m slow

fuzz: $(VENV)/.test  ## feed every parser of files with a few thousand broken ones (a minute)
	$(BIN)/python -m fuzz --executions 3000 --seconds 30

pages: $(VENV)/.test  ## write into README.md and docs/ what their code prints now
	HEDGEROW_UPDATE_PAGES=1 $(BIN)/python -m pytest tests/test_pages.py

$(VENV)/.docs: $(VENV)/.package
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	@touch $@

# The folders that Sphinx generates from are made anew, except for the gallery: an example runs again when it changes.
docs: $(VENV)/.docs  ## build the documentation site in docs/_build/html, and check its links
	rm -rf docs/_build docs/api
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --jobs auto docs docs/_build/html
	$(BIN)/python docs/check_links.py docs/_build/html

api: $(VENV)/.test  ## write the public names and signatures as they are now into tests/public_api.txt
	HEDGEROW_UPDATE_API=1 $(BIN)/python -m pytest tests/test_public_api.py

coverage: $(VENV)/.test  ## run all tests, and say which lines none of them reaches (slower)
	$(BIN)/python -m pytest -n auto --cov --cov-report=term

mutants: $(VENV)/.package  ## change the code a little in many places and see whether tests notice (hours)
	$(BIN)/python -m pip install --quiet --editable '.[mutants]'
	$(BIN)/python -m benchmarks.mutants

$(VENV)/.bench: $(VENV)/.package
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@touch $@

$(VENV)/.peers: $(VENV)/.bench
	$(BIN)/python -m pip install --quiet --editable '.[bench,peers]'
	@touch $@

bench-quick: $(VENV)/.peers  ## run every suite and method of the evaluation on three small sets (minutes)
	$(BIN)/python -m benchmarks.quick

bench-speed: $(VENV)/.bench  ## measure the speed tables (about an hour; goes on where it stopped)
	$(BIN)/python -m benchmarks.speed

lint: $(VENV)/.test  ## check style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test  ## check types strictly
	$(BIN)/mypy

format: $(VENV)/.test  ## fix what the linter can fix, and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## remove the environment and all caches
	rm -rf $(VENV) tests/axe/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis \
		.coverage htmlcov build dist docs/_build docs/api docs/gallery findings
