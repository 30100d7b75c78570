// Command upload takes files in.
package main

import (
	"boardorder/pkg/run"
	"boardorder/pkg/worker"
	"boardorder/services/upload"
)

func main() {
	worker.Main(upload.Tasks())
	run.Main("upload", upload.Build)
}
