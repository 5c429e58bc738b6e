# Everything one does with this project by a command. `make` alone lists it.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python -m

# A file of Python is compiled once, not by every process, as uv leaves it to them.
unexport PYTHONDONTWRITEBYTECODE

# What the environment holds so far: installed again when the list of it changes.
SITE := $(VENV)/site.stamp
TESTS := $(VENV)/tests.stamp

# A file of tests at a time for each worker, in their order: those with the fewest tests are not the shortest.
PARALLEL := --numprocesses auto --dist loadfile --no-loadscope-reorder

# Lines and branches that the tests reach in the server's own process; what browsers ask for runs in others.
COVERED := $(VENV)/bin/python -W 'ignore:Unable to activate pytest' -m slipcover --branch --source games,mancala_site --omit '*/migrations/*' --skip-covered -m

UNIT := pytest $(PARALLEL) --ignore tests/browser

# Stories differ much in length: a worker that is done takes over from the others.
BROWSER := pytest --numprocesses auto --dist worksteal tests/browser

.DEFAULT_GOAL := help
.PHONY: help packages play test check types unit js browser lossy fuzz soak prove format lock words bench screenshots clean

help: ## List all this
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(SITE) ## Serve the site here; HOST=0.0.0.0 lets your network in, PORT=8000, PROCESSES=2
	@exec $(RUN) mancala_site.serve --prepare

test: ## Everything that must pass: the checks and all tests, with the coverage
	@$(MAKE) --no-print-directory --jobs 2 packages check js
	@$(COVERED) $(UNIT)
	@$(RUN) $(BROWSER)

check: $(TESTS) ## Format, lint and types, changing nothing
	@$(RUN) ruff format --check --quiet .
	@$(RUN) ruff check --quiet .
	@$(RUN) mypy

js: $(TESTS) ## Only the tests of the JavaScript modules
	@tools/node --test tests/js/*.test.js

unit: $(TESTS) packages ## Only the Python tests that need no browser
	@$(RUN) $(UNIT)

browser: $(TESTS) packages ## Only the stories played in a real browser
	@$(RUN) $(BROWSER)

lossy: $(TESTS) packages ## Fifty golden games over a line that loses messages
	@LOSSY_GAMES=50 $(RUN) pytest tests/browser/test_lossy_line.py

fuzz: $(TESTS) packages ## 100,000 hostile frames and 10,000 hostile requests; FUZZ_SEED=… sends the same again
	@FUZZ_FRAMES=100000 FUZZ_REQUESTS=10000 $(RUN) pytest --capture no tests/faults/test_fuzz.py

soak: $(TESTS) packages ## 300 games for MINUTES=20 while servers, Redis and PostgreSQL are killed; GAMES=…, SEED=…
	@$(RUN) tests.soak $(if $(MINUTES),--minutes $(MINUTES)) $(if $(GAMES),--games $(GAMES)) $(if $(SEED),--seed $(SEED))

prove: $(TESTS) ## Every golden value and the start positions by the engine, and 100,000 positions by both its kernels
	@$(RUN) tests.engine.prove

format: $(TESTS) ## Format the Python files and put right what can be
	@$(RUN) ruff check --quiet --fix-only .
	@$(RUN) ruff format --quiet .

lock: $(SITE) ## Choose the newest versions that requirements.txt allows, and note them with their hashes
	@$(RUN) uv pip compile requirements.txt --output-file requirements.lock --upgrade --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate --quiet

words: $(SITE) packages ## Collect the sentences of templates and code into locale/, and compile what is translated
	@$(VENV)/bin/python manage.py makemessages --all --no-location --no-wrap --no-obsolete --ignore node_modules --ignore var -v 0
	@$(VENV)/bin/python manage.py compilemessages --ignore .venv -v 0
	@for file in locale/*/LC_MESSAGES/django.po; do echo "$$file: $$(msgfmt --statistics -o /dev/null $$file 2>&1)"; done

bench: $(TESTS) packages ## How fast rules, engine and relay are, and what the pages cost
	@$(RUN) benchmarks.rules
	@$(RUN) benchmarks.engine
	@$(RUN) benchmarks.memory
	@$(RUN) benchmarks.relay
	@$(RUN) benchmarks.pages

screenshots: $(TESTS) packages ## Take the pictures of docs/ anew
	@$(RUN) tools.screenshots

clean: ## Remove all that was made, except the games kept in var/
	@rm -rf $(VENV) .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

packages:
	@tools/debian-packages

$(VENV)/bin/python:
	@tools/environment $(PYTHON) $(VENV)

$(SITE): requirements.txt | $(VENV)/bin/python
	@echo "Installing what the site runs on into $(VENV) …"
	@tools/install $(VENV) $<
	@touch $@

$(TESTS): tests/requirements.txt $(SITE) | $(VENV)/bin/python
	@echo "Installing what the tests run on into $(VENV) …"
	@tools/install $(VENV) $<
	@touch $@
