// Command feed publishes what accounts are told of.
package main

import (
	"boardorder/pkg/run"
	"boardorder/services/feed"
)

func main() { run.Main("feed", feed.Build) }
