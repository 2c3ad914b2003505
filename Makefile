# The two commands of the README are `make demo` and `make test`: each installs
# what is missing and does its job.

GO ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
BUILD = CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w -X main.version=$(VERSION)"

.PHONY: build demo test bench fuzz need

build:
	$(BUILD) -o bin/playguard ./cmd/playguard

# A browser, Node.js and npm; Chromium is installed where that can be done.
need:
	@scripts/need-browser

demo: need build
	bin/playguard setup
	bin/playguard demo

# The limit is above go test's default of ten minutes for the packages that
# work with real browsers; with CI=true they also run their long parts.
test: need
	$(GO) test -race -timeout 60m ./...

bench: need
	$(GO) run ./bench

# The fuzz targets of the packages that read what Figma and users send, each for
# a minute, two at a time. FUZZ picks among them.
FUZZTIME ?= 60s
FUZZ ?= ^Fuzz
FUZZED ?= internal/figmatree internal/designdiff internal/endpoint internal/transport
fuzz:
	@set -e; targets=; for p in $(FUZZED); do \
	  names=$$($(GO) test ./$$p -list '$(FUZZ)'); \
	  for f in $$(echo "$$names" | grep '^Fuzz'); do targets="$$targets $$p $$f"; done; \
	done; \
	echo $$targets | xargs -P 2 -n 2 sh -c 'exec scripts/fuzz "$$0" "$$1" $(FUZZTIME)'
