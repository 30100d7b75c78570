package check

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
)

// load reads a design as a service would.
func load(t testing.TB, design string) []*pcb.Board {
	t.Helper()
	var files []upload.File
	sent, _ := corpus.Upload(t, design)
	for _, f := range sent {
		files = append(files, upload.File(f))
	}
	return upload.Read(context.Background(), files, upload.Options{}).Boards
}

// primary gives the figures of the primary fabricator.
func primary(t testing.TB) *dfm.Capability {
	t.Helper()
	data, err := os.ReadFile("../limits/primary.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := dfm.ReadCapability(data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCorpus runs every check over some of the published designs: none may break
// down. With -v it prints what was found and how long each took.
func TestCorpus(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads many designs")
	}
	fab := primary(t)
	var took []time.Duration
	const every = 8
	for i, row := range corpus.Designs(t) {
		name := row["name"]
		if i%every != 0 {
			continue
		}
		for _, b := range load(t, name) {
			start := time.Now()
			r, err := Run(context.Background(), b, dfm.Options{Limits: fab.Limits(dfm.Build{Layers: len(b.Copper())})})
			d := time.Since(start)
			took = append(took, d)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, f := range r.Faults {
				t.Errorf("%s, board %s: a rule broke down: %v", name, b.Name, f)
			}
			if !testing.Verbose() {
				continue
			}
			t.Logf("%s: %s: %d findings in %v", name, b.Name, len(r.Findings), d.Round(time.Millisecond))
			for _, f := range r.Findings {
				t.Logf("  %s %s x%d: %s", f.Level, f.Check, f.Count, f.What)
			}
		}
	}
	if len(took) > 0 {
		slices.Sort(took)
		t.Logf("%d boards: median %v, slowest %v", len(took), took[len(took)/2], took[len(took)-1])
	}
}
