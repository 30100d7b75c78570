// Command pricing turns uploads into quotes.
package main

import (
	"boardorder/pkg/run"
	"boardorder/services/pricing"
)

func main() { run.Main("pricing", pricing.Build) }
