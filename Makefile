# The handful of verbs that people type. `make help` lists them.

MODULES := pkg $(wildcard services/*) deploy/simulator deploy/standalone deploy/topology
# Outside of the workspace: what they need decides no version of what ships.
APART := deploy/compat deploy/manifests
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

.DEFAULT_GOAL := help

.PHONY: help
help: ## list these verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: build ## run the whole system in one process, data under ./data
	@./bin/standalone -data data

.PHONY: build
build: ## build every program into ./bin
	@mkdir -p bin
	go build -o bin/ work

.PHONY: build-apart
build-apart: ## build every module by itself, without the workspace
	@for m in $(MODULES) $(APART); do (cd $$m && GOWORK=off go build ./...) || exit 1; done

.PHONY: test
test: ## run all tests
	go test work

.PHONY: test-compat
test-compat: ## run the production adapters and the main job over foreign servers
	cd deploy/compat && GOWORK=off go test ./...

.PHONY: test-manifests
test-manifests: ## hold the Compose and Kubernetes files, alerts and dashboard to the code
	cd deploy/manifests && GOWORK=off go test ./...

.PHONY: test-faults
test-faults: build ## run three broker nodes and two of every service through faults, then check the books
	BIN_DIR=$(CURDIR)/bin go test -count=1 -run 'TestFaults|TestScenarios' -timeout 60m -v boardorder/deploy/standalone/faults -faults -still 90s

.PHONY: test-load
test-load: build ## offer RATE quotes a second for LOAD beside the faults, with payments, and report
	BIN_DIR=$(CURDIR)/bin go test -count=1 -run TestLoad -timeout 60m -v boardorder/deploy/standalone/faults -load $(or $(LOAD),10m) -rate $(or $(RATE),50)

.PHONY: bench
bench: build ## measure the pipeline against the machine's own limit
	go run boardorder/deploy/standalone/cmd/bench

.PHONY: bench-growth
bench-growth: build ## show what a quote costs while DOCUMENTS quotes are stored, and QUOTES asked of the whole program
	go run boardorder/deploy/standalone/cmd/bench -growth -documents $(or $(DOCUMENTS),1000000) -quotes $(or $(QUOTES),0)

.PHONY: bench-board
bench-board: ## measure reading and drawing the boards in BOARD_CORPUS, beside gerbv, KiCad and TRACESPACE where they are
	go run boardorder/pkg/board/bench $(or $(BOARD_CORPUS),../shared/designs)

.PHONY: bench-check
bench-check: ## measure checking the designs in BOARD_CORPUS, beside KiCad where installed, and how time grows
	go run boardorder/pkg/board/check/bench $(or $(BOARD_CORPUS),../shared/designs)

.PHONY: up-local
up-local: build ## run each service as a process of its own over one infrastructure process
	@./bin/uplocal -data data/local

.PHONY: secrets
secrets: ## make passwords and the master key for docker compose, unless they are there
	@mkdir -p -m 700 deploy/docker/secrets
	@test -s deploy/docker/secrets/master.key || { od -An -tx1 -N32 /dev/urandom | tr -d ' \n' > deploy/docker/secrets/master.key; chmod 444 deploy/docker/secrets/master.key; }
	@test -s .env || (umask 077; random() { od -An -tx1 -N24 /dev/urandom | tr -d ' \n'; }; \
		{ for v in NATS_PASSWORD MONGO_PASSWORD S3_SECRET CONSOLE_BOOTSTRAP_TOKEN; do echo "$$v=k$$(random)"; done; \
		echo "CARD_API_KEY=sk_test_$$(random)"; echo "CARD_WEBHOOK_SECRET=whsec_$$(random)"; } > .env)

.PHONY: vet
vet: ## gofmt, go vet and staticcheck
	@test -z "$$(gofmt -l $(MODULES) $(APART) | tee /dev/stderr)"
	go vet work
	@for m in $(APART); do (cd $$m && GOWORK=off go vet ./...) || exit 1; done
	@for m in $(MODULES); do (cd $$m && go run $(STATICCHECK) ./...) || exit 1; done

# A test of a dependency needs a module version that not every proxy has. -e goes
# on without it; what it says is shown when something else is wrong.
.PHONY: tidy
tidy: ## go mod tidy in every module
	@for m in $(MODULES) $(APART); do out=$$(cd $$m && GOWORK=off go mod tidy -e 2>&1) || { echo "$$m: $$out"; exit 1; }; done

.PHONY: verify
verify: ## fail if a module is not tidy
	@for m in $(MODULES) $(APART); do out=$$(cd $$m && GOWORK=off go mod tidy -e -diff 2>&1) || { echo "$$out"; echo "$$m is not tidy: run make tidy"; exit 1; }; done
