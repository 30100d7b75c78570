package partsourcing

import (
	"context"

	"boardorder/pkg/worker"
	"boardorder/services/part-sourcing/internal/bom"
)

const readTask = "part-sourcing.read"

// Tasks are what the service has workers do.
func Tasks() worker.Tasks { return worker.Tasks{readTask: readText} }

// readResult is a list as a worker read it.
type readResult struct {
	List       bom.List
	Unreadable bool
}

func readText(_ context.Context, j *worker.Job) (any, error) {
	f, err := j.Next()
	if err != nil {
		return nil, err
	}
	list, err := bom.Read(f.Name, f.Data)
	if err != nil { // of the text, whatever it is
		return readResult{Unreadable: true}, nil
	}
	return readResult{List: list}, nil
}
