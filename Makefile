# The handful of verbs that people type. `make help` lists them.

MODULES := pkg $(wildcard services/*) deploy/simulator deploy/standalone
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
	@for m in $(MODULES) deploy/compat; do (cd $$m && GOWORK=off go build ./...) || exit 1; done

.PHONY: test
test: ## run all tests
	go test work

.PHONY: test-compat
test-compat: ## run the production adapters and the main job over foreign servers
	cd deploy/compat && GOWORK=off go test ./...

.PHONY: test-faults
test-faults: build ## kill services and broker at random under load, then check the books
	go test -count=1 -run TestFaults -timeout 20m boardorder/deploy/standalone/faults -faults

.PHONY: bench
bench: build ## measure the pipeline against the machine's own limit
	go run boardorder/deploy/standalone/cmd/bench

.PHONY: up-local
up-local: build ## run each service as a process of its own over one infrastructure process
	@./bin/uplocal -data data/local

.PHONY: vet
vet: ## gofmt, go vet and staticcheck
	@test -z "$$(gofmt -l $(MODULES) deploy/compat | tee /dev/stderr)"
	go vet work
	@for m in $(MODULES); do (cd $$m && go run $(STATICCHECK) ./...) || exit 1; done

.PHONY: tidy
tidy: ## go mod tidy in every module
	@for m in $(MODULES) deploy/compat; do (cd $$m && GOWORK=off go mod tidy -e 2>&1 | { grep -v pprof || true; }) || exit 1; done

.PHONY: verify
verify: ## fail if a module is not tidy or a generated file is old
	@for m in $(MODULES) deploy/compat; do (cd $$m && GOWORK=off go mod tidy -diff) || exit 1; done
