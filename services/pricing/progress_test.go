package pricing

import (
	"context"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"

	"go.uber.org/zap"
)

// TestStages: what a client that waits is told is what happened.
func TestStages(t *testing.T) {
	t.Parallel()
	bare, assembled := quotes.Request{Quantity: 10}, quotes.Request{Quantity: 1, Assembly: true}
	plan := &assemblies.Plan{Top: 30, Bottom: 12}
	running := func(p *assemblies.Plan, r *partchecks.Report) assemblies.Assembly {
		return assemblies.Assembly{Status: partchecks.Running, Plan: p, Report: r}
	}
	inPart := &partchecks.Report{Parts: make([]partchecks.Found, 11), Summary: partchecks.Summary{Lines: map[string]int{"ok": 8, "checking": 3}}}
	names := map[string]bool{}
	for _, tt := range []struct {
		got        stage
		name, want string
	}{
		{readingFiles(bare.Describe(), []uploads.File{{Size: 3 << 20}, {Size: 1 << 19}}), "waiting",
			"10 bare boards were asked for. The design files are being read and checked: 2 files, 3.5 MB."},
		{readingFiles(bare.Describe(), []uploads.File{{Size: 1}}), "waiting",
			"10 bare boards were asked for. The design files are being read and checked: 1 file, 1 kB."},
		{sourcing(assembled, assemblies.Assembly{}), "parts",
			"1 assembled board was asked for. The design files are read; the bill of materials and the placements are being read."},
		{sourcing(assembled, assemblies.Assembly{Status: partchecks.Ended, Plan: plan, Report: inPart}), "parts", // an old one, made anew
			"1 assembled board was asked for. The design files are read; the bill of materials and the placements are being read."},
		{sourcing(assembled, running(plan, nil)), "suppliers",
			"1 assembled board was asked for. The bill of materials is read: 42 parts to place on each. The fabricator's library is being asked for them."},
		{sourcing(assembled, running(plan, inPart)), "distributors",
			"1 assembled board was asked for. The fabricator's library has answered: of 11 lines to buy, 8 are settled. Distributors are being asked for the rest."},
		{stagePricing(bare), "price", "10 bare boards were asked for. The design files are read and checked. The fabricator is being asked for the price."},
		{stagePricing(assembled), "price",
			"1 assembled board was asked for. The design files are read and checked, and suppliers have answered about the parts. The fabricator is being asked for the price."},
		{stageTest(bare), "slow", "10 bare boards were asked for. The price takes 40 seconds, as the test scenario asks."},
	} {
		if tt.got.name != tt.name || tt.got.words != tt.want {
			t.Errorf("%s: %q\nwant %s: %q", tt.got.name, tt.got.words, tt.name, tt.want)
		}
		names[tt.got.name] = true
	}
	if len(names) != 6 { // a stage that shared another's name would be recorded once only
		t.Errorf("%d names of stages, want 6", len(names))
	}
}

// TestSlowWorkIsTold: a stage is recorded while the work goes on, where it takes long,
// and before the work's result can be.
func TestSlowWorkIsTold(t *testing.T) {
	t.Parallel()
	events := bustest.Start(t)
	for name, tt := range map[string]struct {
		after    time.Duration
		slow     bool
		reported bool
	}{
		"long": {time.Millisecond, true, true}, "quick": {time.Hour, false, false}, "never": {0, false, false},
	} {
		s := &Service{cfg: Config{ProgressAfter: tt.after}, events: events, log: zap.NewNop(), now: time.Now}
		c, err := contract.NewCommand(quotes.Price, contract.NewID(contract.RequestPrefix, time.Now()), "acc_1", time.Now(), struct{}{})
		if err != nil {
			t.Fatal(err)
		}
		recorded := func() bool {
			_, err := events.Last(context.Background(), contract.QuoteRequestAggregate, c.Request)
			return err == nil
		}
		err = s.reportProgress(t.Context(), c, stagePricing(quotes.Request{Quantity: 5}), func() error {
			for tt.slow && !recorded() && t.Context().Err() == nil {
				time.Sleep(time.Millisecond) // the work: it lasts until it is told of
			}
			return nil
		})
		if err != nil || recorded() != tt.reported {
			t.Errorf("%s: recorded %v, %v", name, recorded(), err)
		}
	}
}
