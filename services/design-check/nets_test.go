package designcheck

import (
	"context"
	"io"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/services/design-check/internal/fab"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
)

func TestListed(t *testing.T) {
	t.Parallel()
	places := func(n int) []dfm.Place {
		out := make([]dfm.Place, n)
		for i := range out {
			out[i] = dfm.Place{Layer: "F.Cu", At: geom.Pt(geom.Millimetre, 0), Nets: [2]string{"GND", "VCC"}, Objects: [2]string{"track", "pad U1-2"}}
		}
		return out
	}
	one := contract.Finding{Level: "must_fix", Check: "short", What: "Joined.", Layer: "F.Cu", Nets: []string{"GND", "VCC"}, AtMM: []float64{1, 0}}
	each := one
	each.What = "The nets GND and VCC are joined: track and pad U1-2."
	for name, tt := range map[string]struct {
		in    dfm.Finding
		n     int
		first contract.Finding
		last  string
	}{
		"nowhere":      {dfm.Finding{Check: dfm.Short, Level: dfm.MustFix, What: "Joined.", Count: 1}, 1, contract.Finding{Level: "must_fix", Check: "short", What: "Joined."}, "Joined."},
		"one place":    {dfm.Finding{Check: dfm.Short, Level: dfm.MustFix, What: "Joined.", Count: 1, Places: places(1)}, 1, one, "Joined."},
		"three places": {dfm.Finding{Check: dfm.Short, Level: dfm.MustFix, What: "Joined.", Count: 3, Places: places(3)}, 3, each, each.What},
		"very many":    {dfm.Finding{Check: dfm.Short, Level: dfm.MustFix, What: "Joined.", Count: 900, Places: places(50)}, maxJoined + 1, each, "860 more"},
	} {
		got := listPlaces(tt.in)
		if len(got) != tt.n || !cmp.Equal(got[0], tt.first) || !strings.Contains(got[len(got)-1].What, tt.last) {
			t.Errorf("%s: %d findings, first %+v, last %+v; want %d, first %+v, last with %q", name, len(got), got[0], got[len(got)-1], tt.n, tt.first, tt.last)
		}
	}
}

func TestPlaceWords(t *testing.T) {
	t.Parallel()
	for want, tt := range map[string]struct {
		n dfm.Name
		p dfm.Place
	}{
		"A connection of GND has no copper: pad U1-1 and pad R2-1.": {dfm.Unrouted, dfm.Place{Nets: [2]string{"GND", "GND"}, Objects: [2]string{"pad U1-1", "pad R2-1"}}},
		"The net GND is in pieces.":                                 {dfm.Open, dfm.Place{Nets: [2]string{"GND"}}},
		`The nets GND and "1" are joined.`:                          {dfm.Short, dfm.Place{Nets: [2]string{"GND", "1"}}},
		"What it says.":                                             {dfm.Open, dfm.Place{}},
	} {
		if got := placeWords(dfm.Finding{Check: tt.n, What: "What it says."}, tt.p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A board for which the time does not suffice gets a report of what was found by
// then, never none.
func TestTimeIsUp(t *testing.T) {
	t.Parallel()
	fabs, err := fab.Load()
	if err != nil {
		t.Fatal(err)
	}
	put := func(_, _ string, write func(io.Writer) error) error { return write(io.Discard) }
	j := &judging{maker: &maker{files: faulty.Base().KiCad(), put: put, log: zap.NewNop()}, fabs: fabs, second: emptyOpinion}
	check := designchecks.DesignCheck{CopperOz: 1, ThicknessMM: 1.6}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = j.measure(ctx, check, func(designchecks.DesignCheck) {})
	if r := contract.RefusalIn(err); r == nil || !strings.Contains(r.Message, "in time") {
		t.Errorf("no time to read: %v", err)
	}
	made, err := j.measure(t.Context(), check, func(designchecks.DesignCheck) {})
	if err != nil || made.Status != designchecks.Pass || made.Report == "" {
		t.Errorf("time enough: %s, %v", made.Status, err)
	}
}
