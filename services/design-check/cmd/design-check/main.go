// Command design-check reads boards.
package main

import (
	"boardorder/pkg/run"
	"boardorder/pkg/worker"
	designcheck "boardorder/services/design-check"
)

func main() {
	worker.Main(designcheck.Tasks())
	run.Main("design-check", designcheck.Build)
}
