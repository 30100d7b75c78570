// Command payment takes money and has boards built for it.
package main

import (
	"boardorder/pkg/run"
	"boardorder/services/payment"
)

func main() { run.Main("payment", payment.Build) }
