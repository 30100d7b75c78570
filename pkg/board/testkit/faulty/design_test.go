package faulty_test

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
)

// A design is one of the corpus with its report.
type design struct {
	name    string
	project *pcb.Project
	reports []*dfm.Report
	err     error
}

// designs reads and checks every design of the corpus, two boards at a time.
func designs(t *testing.T) []design {
	t.Helper()
	rows := corpus.Designs(t)
	out := make([]design, len(rows))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, row := range rows {
		files, _ := corpus.Upload(t, row["name"])
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			out[i] = examine(row["name"], corpus.ConvertFiles[upload.File](files))
		})
	}
	all.Wait()
	return out
}

func examine(name string, files []upload.File) design {
	d := design{name: name, project: upload.Read(context.Background(), files, upload.Options{})}
	for _, b := range d.project.Boards {
		r, err := check.Run(context.Background(), b, dfm.Options{Limits: limits.Standard(len(b.Copper()), b.Facts.OuterCopper.Value)})
		if err == nil && len(r.Faults) > 0 {
			err = r.Faults[0]
		}
		if err != nil {
			d.err = err
			return d
		}
		d.reports = append(d.reports, r)
	}
	return d
}
