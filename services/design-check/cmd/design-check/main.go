// Command design-check reads boards.
package main

import (
	"boardorder/pkg/run"
	designcheck "boardorder/services/design-check"
)

func main() { run.Main("design-check", designcheck.Build) }
