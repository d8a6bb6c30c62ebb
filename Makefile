# The front door: every target only forwards to Meson or to scripts/.
PREFIX = /usr/local
# Where libraries go in PREFIX; without it scripts/install finds out.
LIBDIR =
FUZZ_SECONDS = 30
# Fuzzers that run at the same time.
FUZZ_JOBS = 1
# Installs missing Debian packages; DEPS=: leaves that to you.
DEPS = sh scripts/deps

CONFIGURE = sh scripts/configure
# One more than there are processors: many tests of the service mostly wait.
TEST = meson test --print-errorlogs --num-processes $$(($$(getconf _NPROCESSORS_ONLN) + 1))
SANITIZED = --timeout-multiplier 4
# The thread sanitizer of older compilers cannot live with much address randomisation.
FIXED_ADDRESSES = $$(setarch -R true 2>/dev/null && echo setarch -R)
SANITIZE = --werror --buildtype=debugoptimized -Dc_args=-fno-sanitize-recover=all

all:
	@$(CONFIGURE) build -Dtests=false
	@meson compile -C build
	@sh scripts/doc-index build/spar doc/algorithms.md

help:
	@echo 'make            build the library and the command in build/'
	@echo 'make run        install what that needs, build, and try the claims of the paper: the report is out/paper/index.html'
	@echo 'make test       all tests but the long ones, warnings as errors'
	@echo 'make test-live  those that need more packages, which it installs: MPI, Python, Chromium'
	@echo 'make test-long  the long ones: full references and studies'
	@echo 'make soak       thousands of kills and power cuts, minutes for each fuzzer'
	@echo 'make python     the Python package: builds a wheel, installs it in a virtual environment, runs its tests'
	@echo 'make bench      what everything costs here, plots in out/bench/, and whether it is fast enough'
	@echo 'make bench-serve  answers a second over HTTP, beside a bare server'
	@echo 'make bench-fleet  the same with 1, 2 and 4 servers on one PostgreSQL, beside the rate of bare INSERTs'
	@echo 'make sanitize   unit and contract tests under the address and undefined sanitizers, threads under theirs'
	@echo 'make lint       gcc -fanalyzer, clang-tidy and cppcheck over the sources: some minutes'
	@echo 'make fuzz       every fuzzer for FUZZ_SECONDS ($(FUZZ_SECONDS)) each, FUZZ_JOBS ($(FUZZ_JOBS)) at a time'
	@echo 'make fuzz-coverage  which lines of src the tests and the inputs of the fuzzers reach'
	@echo 'make doc        the documents as a site: out/doc/index.html, with the report of make run if there is one'
	@echo 'make figures    draw the figures of the documents again'
	@echo 'make bare-machine  build, run and install it in a Debian made from nothing (needs root)'
	@echo 'make install    under PREFIX ($(PREFIX)), staged in DESTDIR if given'
	@echo 'make clean      remove all build directories'

deps-bare deps-doc deps-run deps-test deps-scale deps-browser deps-dev deps-python:
	@$(DEPS) $(@:deps-%=%)

run: deps-run
	@$(MAKE) --no-print-directory all
	@build/spar paper --quick --out out/paper

test: deps-test
	@$(CONFIGURE) build-test --werror
	@$(TEST) -C build-test --no-suite long --no-suite python --no-suite live-browser --no-suite live-scale
	@sh scripts/doc-index build-test/spar doc/algorithms.md

test-live: deps-scale deps-python deps-browser
	@$(CONFIGURE) build-test --werror
	@meson configure build-test -Dmpi=enabled # it may have been made before MPI was there
	@SPAR_LIVE=1 $(TEST) -C build-test --suite live-scale --suite python --suite live-browser

test-long: deps-test
	@$(CONFIGURE) build-test --werror
	@$(TEST) -C build-test --suite long

soak: deps-test deps-scale
	@$(CONFIGURE) build-test --werror
	@SPAR_KILLS=2000 SPAR_CUTS=500 SPAR_ANSWERS=1000 $(TEST) -C build-test --timeout-multiplier 20 store/sqlite_kills \
		store/sqlite_power cli/kills service/once
	@SPAR_LIVE=1 FLEET_KILLS=300 $(TEST) -C build-test --timeout-multiplier 20 fleet/kills
	@ninja -C build-test bench/soak_serve
	@build-test/bench/soak_serve build-test/spar 1000000 build-test
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=180

bench-serve: deps-run
	@$(CONFIGURE) build -Dtests=false
	@ninja -C build spar bench/bench_serve
	@build/bench/bench_serve build/spar build

bench-fleet: deps-run deps-scale
	@$(CONFIGURE) build -Dtests=false
	@ninja -C build spar bench/load_serve
	@python3 bench/fleet.py build/spar build/bench/load_serve

python: deps-python
	@$(CONFIGURE) build -Dtests=false
	@meson compile -C build
	@sh scripts/python build/spar

sanitize-python: deps-python
	@$(CONFIGURE) build -Dtests=false
	@meson compile -C build
	@SANITIZE=1 sh scripts/python build/spar

bench: deps-run
	@$(CONFIGURE) build -Dtests=false
	@meson compile -C build
	@meson test -C build --benchmark --verbose
	@build/spar bench --out out/bench
	@python3 scripts/check-speed out/bench/bench.json

doc: deps-doc
	@python3 scripts/doc-site . out/doc out/paper

figures: all
	@sh scripts/doc-figures build/spar doc/figures

sanitize: sanitize-memory sanitize-threads

sanitize-memory: deps-test
	@$(CONFIGURE) build-asan $(SANITIZE) -Db_sanitize=address,undefined
	@ninja -C build-asan $$(python3 scripts/suite-targets build-asan unit contract)
	@$(TEST) -C build-asan --no-rebuild $(SANITIZED) --suite unit --suite contract

sanitize-threads: deps-test
	@$(CONFIGURE) build-tsan $(SANITIZE) -Db_sanitize=thread
	@ninja -C build-tsan $$(python3 scripts/suite-targets build-tsan threads)
	@$(FIXED_ADDRESSES) $(TEST) -C build-tsan --no-rebuild $(SANITIZED) --suite threads

lint: deps-dev
	@$(CONFIGURE) build-test --werror
	@meson compile -C build-test spar
	@sh scripts/lint build-test

fuzz: deps-dev
	@FUZZ_JOBS=$(FUZZ_JOBS) sh scripts/fuzz build-fuzz $(FUZZ_SECONDS)

fuzz-coverage: deps-dev
	@sh scripts/fuzz-coverage build-coverage

bare-machine: deps-bare
	@bash scripts/bare-machine run install examples

install: all
	@sh scripts/install build '$(PREFIX)' '$(DESTDIR)' '$(LIBDIR)'

clean:
	rm -rf build build-python build-python-asan build-test build-asan build-tsan build-fuzz build-coverage

.PHONY: all bare-machine bench bench-fleet bench-serve clean deps-bare deps-browser deps-dev deps-doc deps-python deps-run deps-scale deps-test doc figures fuzz fuzz-coverage help install lint \
	python run sanitize sanitize-memory sanitize-python sanitize-threads soak test test-live test-long
