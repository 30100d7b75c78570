// Command webhooks sends accounts what happens, to the addresses that they named.
package main

import (
	"boardorder/pkg/run"
	"boardorder/services/webhooks"
)

func main() { run.Main("webhooks", webhooks.Build) }
