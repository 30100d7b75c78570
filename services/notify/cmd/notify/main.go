// Command notify sends the service's mail.
package main

import (
	"boardorder/pkg/run"
	"boardorder/services/notify"
)

func main() { run.Main("notify", notify.Build) }
