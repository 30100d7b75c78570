package designcheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/worker"
	"boardorder/services/design-check/internal/fab"
)

// The names of the service's tasks.
const (
	readTask     = "design-check.read"
	completeTask = "design-check.complete"
	layersTask   = "design-check.layers"
	measureTask  = "design-check.measure"
)

// Tasks are what the service has workers do.
func Tasks() worker.Tasks {
	return worker.Tasks{readTask: readFiles, completeTask: completeReading, layersTask: drawPackage, measureTask: measureFiles}
}

// newMaker takes the first n files of a job; -1 are all.
func newMaker(j *worker.Job, n int) (*maker, error) {
	m := &maker{put: j.Put, log: j.Log()}
	for len(m.files) != n {
		f, err := j.Next()
		if errors.Is(err, io.EOF) && n < 0 {
			break
		}
		if err != nil {
			return nil, err
		}
		m.files = append(m.files, upload.File(f))
	}
	return m, nil
}

// readAsk is what a worker is asked to read, or to draw, beside the files.
type readAsk struct {
	Answers *answers.FileAnswers
	Plain   bool // inspect no board: the first try came to nothing
}

func readFiles(ctx context.Context, j *worker.Job) (any, error) {
	var ask readAsk
	if err := j.Ask(&ask); err != nil {
		return nil, err
	}
	m, err := newMaker(j, -1)
	if err != nil {
		return nil, err
	}
	m.answers, m.plain = ask.Answers, ask.Plain
	if m.fabs, err = fab.Load(); err != nil {
		return nil, err
	}
	return m.read(ctx)
}

// completeAsk is what a worker is asked to make of files that were read: the files come
// first, then the marks where it is to draw.
type completeAsk struct {
	Answers *answers.FileAnswers
	Files   int  // how many of the job's files are the design's
	Boards  int  // that were read
	Draw    bool // pictures too, not packages alone
}

func completeReading(ctx context.Context, j *worker.Job) (any, error) {
	var ask completeAsk
	if err := j.Ask(&ask); err != nil {
		return nil, err
	}
	m, err := newMaker(j, ask.Files)
	if err != nil {
		return nil, err
	}
	m.answers = ask.Answers
	var marks [][]mark
	if ask.Draw {
		f, err := j.Next()
		if err == nil {
			err = json.Unmarshal(f.Data, &marks)
		}
		if err != nil {
			return nil, fmt.Errorf("marks: %w", err)
		}
	}
	return m.complete(ctx, ask, marks)
}

func drawPackage(ctx context.Context, j *worker.Job) (any, error) {
	var ask readAsk
	if err := j.Ask(&ask); err != nil {
		return nil, err
	}
	m, err := newMaker(j, 1)
	if err != nil {
		return nil, err
	}
	m.answers = ask.Answers
	if m.files, err = unpack(m.files[0].Data); err != nil {
		return nil, err
	}
	return m.layers(ctx)
}

// measureAsk is what a worker is asked to measure.
type measureAsk struct {
	Check designchecks.DesignCheck
	Files int  // how many of the job's files are the design's
	KiCad bool // whether KiCad's own report follows them when it is asked for
}

// measureStep is what a worker reports on the way.
type measureStep struct {
	Check *designchecks.DesignCheck `json:",omitempty"`
	KiCad bool                      `json:",omitempty"` // whether KiCad's own report is asked for
}

// measureResult is a check, whose blobs were put, or why there is none.
type measureResult struct {
	Check   designchecks.DesignCheck
	Refusal *contract.Refusal
}

func measureFiles(ctx context.Context, j *worker.Job) (any, error) {
	var ask measureAsk
	if err := j.Ask(&ask); err != nil {
		return nil, err
	}
	m, err := newMaker(j, ask.Files)
	if err != nil {
		return nil, err
	}
	m.answers = ask.Check.Answers
	fabs, err := fab.Load()
	if err != nil {
		return nil, err
	}
	judge := &judging{maker: m, fabs: fabs, second: emptyOpinion}
	if ask.KiCad {
		judge.second = secondOpinion{job: j, log: m.log}.start
	}
	check, err := judge.measure(ctx, ask.Check, func(d designchecks.DesignCheck) { _ = j.Step(measureStep{Check: &d}) })
	if r := contract.RefusalIn(err); r != nil {
		return measureResult{Check: check, Refusal: r}, nil
	}
	return measureResult{Check: check}, err
}
