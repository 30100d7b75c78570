// Command part-sourcing looks parts up at those who sell them.
package main

import (
	"boardorder/pkg/run"
	"boardorder/pkg/worker"
	partsourcing "boardorder/services/part-sourcing"
)

func main() {
	worker.Main(partsourcing.Tasks())
	run.Main("part-sourcing", partsourcing.Build)
}
