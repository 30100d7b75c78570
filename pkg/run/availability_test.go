package run

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

func TestAvailabilityTellsEachDependency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, testAvailability) // one of them answers only when the look at it ends
}

func testAvailability(t *testing.T) {
	ok := func(context.Context) error { return nil }
	silent := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	a := newAvailability(map[string]func(context.Context) error{
		"broker": ok, "files": silent, "documents": func(context.Context) error { return errors.New("connection refused") },
	})
	want := `# HELP boardorder_dependency_up 1 while this process reaches broker, documents or files, 0 while it does not.
# TYPE boardorder_dependency_up gauge
boardorder_dependency_up{dependency="broker"} 1
boardorder_dependency_up{dependency="documents"} 0
boardorder_dependency_up{dependency="files"} 0
`
	r := prometheus.NewPedanticRegistry()
	r.MustRegister(a)
	if err := testutil.GatherAndCompare(r, strings.NewReader(want)); err != nil {
		t.Error(err)
	}
}
