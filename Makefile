# make demo   sets everything up and evaluates the sample app
# make test   sets everything up and runs the tests
# make quick  a minute of them, while something is being written
# make help   lists the rest

.DEFAULT_GOAL := help
.PHONY: help setup demo quick test test-long lint format doctor clean pristine
BIN := .venv/bin
# Containers often forbid byte code to be kept; then each of the hundreds of processes that tests start compiles 1,200 modules anew.
unexport PYTHONDONTWRITEBYTECODE
SAMPLE := tests/fixtures/apps/sample
# Where the tests that measure time are: collecting all the others once more would take longer than many of them.
QUIET := tests/integration/clock tests/integration/recorder tests/integration/stage tests/unit/clock

help: ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 20
# What is plain values in, plain values out: no browser, no program or database, no film, no picture read, no model asked.
PURE := $(filter-out $(addprefix tests/unit/,__% batch clock commands confinement diagram% house judges manim media processes recorder \
	reports results), $(wildcard tests/unit/*))

setup: ## system packages, virtual environment, locked dependencies (PYTHON=/path, WITH=diagram,manim)
	@PYTHON="$(PYTHON)" sh setup/run $(if $(WITH),--with $(WITH))

demo: setup ## evaluate the sample app: prints the verdict and where the report lies
	@$(BIN)/assay eval $(SAMPLE)/index.html --brief @$(SAMPLE)/brief.txt

quick: setup ## the unit tests of the pure rooms, in a minute: no browser, no films, no pictures (ARGS=… for pytest)
	@$(BIN)/pytest -n 2 --dist loadfile -m "not long and not quiet" $(PURE) $(ARGS)

# A file's tests share what is slow to make, so a worker gets whole files, in the order of `tests/conftest.py`: the short ones last.
test: setup ## the tests, on two workers, then those that measure time (ARGS=… for pytest)
	@$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not long and not quiet" $(ARGS)
	@$(BIN)/pytest -m "quiet and not long" $(QUIET) $(ARGS)

test-long: setup ## the tests that run on demand only
	@$(BIN)/pytest -m long $(ARGS)

lint: setup ## ruff, pyright, import directions
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/pyright
	@$(BIN)/lint-imports

format: setup ## put the code into its form
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

doctor: setup ## what this machine has, what is missing, and the command that mends it
	@$(BIN)/assay doctor

clean: ## caches and builds
	rm -rf .pytest_cache .ruff_cache .import_linter_cache .hypothesis dist build
	find . -name __pycache__ -type d -not -path './.venv/*' -not -path './recordings/*' -prune -exec rm -rf {} +

pristine: clean ## and the virtual environment; recordings stay
	rm -rf .venv .assay
