// Command upload takes files in.
package main

import (
	"boardorder/pkg/run"
	"boardorder/services/upload"
)

func main() { run.Main("upload", upload.Build) }
