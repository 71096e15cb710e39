# youjin: `make demo` sets up and runs the product with no camera attached; `make test` sets up and runs the tests.
.POSIX:
PYTHON = python3
VENV = .venv
BIN = $(VENV)/bin
# pip is quiet, and does not ask the network for a newer pip
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
PORT = 8000
PYTEST_FLAGS =

.PHONY: help demo test test-slow test-train check format lint types bench translations clean setup setup-test setup-train setup-drawing
help:
	@echo "make demo        set up, then play the drawn table: open http://127.0.0.1:$(PORT)/"
	@echo "make test        set up, then run all tests (needs no torch)"
	@echo "make test-slow   the long exhaustive checks against the brute-force reference"
	@echo "make test-train  tests of training and export (installs torch and ultralytics)"
	@echo "make setup-drawing  what training draws with: tile sets and fonts of Debian, npm and PyPI"
	@echo "make check       format, lint, types, tests"
	@echo "make bench       speed and accuracy, beside other packages"
	@echo "make clean       remove the virtual environment and caches"

demo: setup
	$(BIN)/youjin serve --source demo --port $(PORT)

test: setup-test
	$(BIN)/python -m pytest $(PYTEST_FLAGS)

test-slow: setup-test
	$(BIN)/python -m pytest -m slow $(PYTEST_FLAGS)

test-train: setup-train
	OMP_NUM_THREADS=2 $(BIN)/python -m pytest -m train $(PYTEST_FLAGS)

check: lint types test

format: setup-test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: setup-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: setup-test
	$(BIN)/mypy

bench: $(VENV)/.bench
	$(BIN)/python tests/bench/bench_engine.py
	$(BIN)/python tests/bench/bench_vision.py
	$(BIN)/python tests/bench/bench_advice.py
	$(BIN)/python tests/bench/bench_page.py
	$(BIN)/python tests/bench/bench_phone.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov build dist

# What is installed is remembered in empty files, so that a second `make` starts at once.
setup: $(VENV)/.run
setup-test: $(VENV)/.test
setup-train: $(VENV)/.train

# Training, with every tile set and hand that drawn tiles can be made of, as the shipped weights were trained.
FONTS = $(HOME)/.local/share/fonts
setup-drawing: setup-train
	.ci/system-packages draw
	npm install --silent --prefix $(FONTS) $$($(BIN)/python -m vision.synthesis.scripts)
	test -s $(FONTS)/GL-MahjongTile.ttf || \
	curl -sSfL "$$(curl -sSfL https://pypi.org/simple/mjx/ | grep -o 'https[^#"]*/mjx-0.1.0.tar.gz')" \
	| tar xzO mjx-0.1.0/mjx/visualizer/GL-MahjongTile.ttf > $(FONTS)/GL-MahjongTile.ttf

$(VENV)/.venv:
	.ci/system-packages run
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "youjin needs Python 3.11 or newer; this is " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.run: $(VENV)/.venv pyproject.toml
	@echo 'Fetching the packages youjin needs; the first time this takes a minute or two ...'
	$(PIP) --editable .
	touch $@

$(VENV)/.test: $(VENV)/.venv pyproject.toml
	.ci/system-packages test
	@echo 'Fetching the packages for the tests ...'
	$(PIP) --editable '.[dev]'
	touch $@ $(VENV)/.run

# Of riichienv only the pictures of tiles are wanted, not what it plays with; training does without where there is no wheel.
$(VENV)/.train: $(VENV)/.test pyproject.toml
	@echo 'Fetching torch and ultralytics; they take 6 GB of disk ...'
	$(PIP) --editable '.[dev,train]'
	$(PIP) --no-deps riichienv==0.4.11 || true
	touch $@

$(VENV)/.bench: $(VENV)/.test pyproject.toml
	$(PIP) --editable '.[dev,bench]'
	touch $@
