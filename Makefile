PYTHON ?= python3
BIN := .venv/bin
TIMES ?= 20
# A folder with the whole public data sets: `make bench DATA=FOLDER`. Tests use the small copies in tests/data/public.
WITH_DATA = $(if $(DATA),--data $(DATA))

.PHONY: demo test soak check bench bench-peers bench-model train constraints clean

demo: .venv/.installed
	$(BIN)/toolbooth demo

test: .venv/.installed check
	$(BIN)/python scripts/fetch_test_parts.py
	$(BIN)/python scripts/run_tests.py

soak: .venv/.installed
	$(BIN)/python scripts/soak.py $(TIMES)

check: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/.installed
	$(BIN)/python scripts/bench.py $(WITH_DATA)
	$(BIN)/python scripts/bench_search.py --peers $(WITH_DATA)
	$(BIN)/python -m scripts.bench_gateway
	$(BIN)/python scripts/bench_cache.py
	$(BIN)/python -m scripts.bench_reduce
	$(BIN)/python -m scripts.bench_code
	$(BIN)/python -m scripts.bench_suite
	$(BIN)/python -m scripts.bench_pytest
	$(BIN)/python scripts/bench_scan.py $(WITH_DATA)

bench-peers: .venv/.installed
	$(BIN)/python -m scripts.bench_peers $(WITH_DATA)

bench-model: .venv/.installed
	$(BIN)/python -m scripts.bench_model --peers $(WITH_DATA)

train: .venv/.installed
	@test -d .cache/training-venv || $(PYTHON) -m venv .cache/training-venv
	.cache/training-venv/bin/python -m pip install -q --disable-pip-version-check torch==2.13.0
	.cache/training-venv/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[test]' -r training/requirements.txt
	.cache/training-venv/bin/python -m pytest tests/unit/training
	.cache/training-venv/bin/python -W ignore -m training $(WITH_DATA)

.venv/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Toolbooth needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[test,check]'
	@touch $@

constraints:
	$(BIN)/python -m pip freeze --exclude-editable | sed '1i # Versions that the tests ran with: names and versions only. Refresh with `make constraints`.' > constraints.txt

clean:
	rm -rf .venv .cache dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
