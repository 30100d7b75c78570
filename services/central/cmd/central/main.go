// Command central keeps formal orders.
package main

import (
	"boardorder/pkg/run"
	"boardorder/services/central"
)

func main() { run.Main("central", central.Build) }
