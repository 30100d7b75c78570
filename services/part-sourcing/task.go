package partsourcing

import (
	"context"
	"errors"
	"io"

	"boardorder/pkg/board/upload"
	"boardorder/pkg/worker"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/kit"
)

// The names of the service's tasks.
const (
	readTask  = "part-sourcing.read"
	boardTask = "part-sourcing.board"
)

// Tasks are what the service has workers do.
func Tasks() worker.Tasks { return worker.Tasks{readTask: readText, boardTask: readParts} }

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

// readParts reads an upload for the parts of one of its boards.
func readParts(ctx context.Context, j *worker.Job) (any, error) {
	var ask askBoard
	if err := j.Ask(&ask); err != nil {
		return nil, err
	}
	var files []upload.File
	for {
		f, err := j.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		files = append(files, upload.File(f))
	}
	k, ok := kit.Read(ctx, files, ask.Answers, ask.Board)
	return readBoard{Kit: k, OK: ok}, nil
}
