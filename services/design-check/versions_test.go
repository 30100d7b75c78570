package designcheck_test

import (
	"context"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/worker"
	designcheck "boardorder/services/design-check"

	"go.uber.org/zap"
)

// replica is one more process of the service, of a version of its own. What it measures
// passes.
func (d *harness) replica(t *testing.T, versions string) *designcheck.Service {
	t.Helper()
	s, err := designcheck.New(config, d.Sim, d.blobs, workers, zap.NewNop(), d.Now)
	if err != nil {
		t.Fatal(err)
	}
	return s.SetVersions(versions).SetMeasurer(func(_ context.Context, _ []worker.Source, check designchecks.DesignCheck, _ func(designchecks.DesignCheck)) (designcheck.Measured, error) {
		check.Status = designchecks.Pass
		return designcheck.Measured{Check: check}, nil
	})
}

// While two versions are deployed side by side either may measure what the other began. A
// check names what measured it, and is made anew for a version that did not.
func TestChecksNameWhatMeasuredThem(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.put(t, "one", "digest", square)
	before, after := d.replica(t, "before"), d.replica(t, "after")
	for i, by := range []struct {
		begins, measures *designcheck.Service
		want             string
		attempt          int
	}{
		{after, before, "before", 1}, // not a check of the version that began it
		{after, after, "after", 2},
		{after, before, "after", 2}, // there is one
		{before, after, "after", 3}, // as after a release was taken back
	} {
		handlers := by.begins.Handlers()
		handlers[designchecks.Measure] = by.measures.Handlers()[designchecks.Measure]
		d.Handle(handlers)
		got := d.checkOf(t, d.ask(t, usual("one")))
		if got.Versions != by.want || got.Attempt != by.attempt || got.Status != designchecks.Pass {
			t.Errorf("ask %d: %s by %q, attempt %d; want pass by %q, attempt %d", i+1, got.Status, got.Versions, got.Attempt, by.want, by.attempt)
		}
	}
}

// A release that copies the versions of what began a check, as some did, does not make a
// check of this one.
func TestChecksOfAReleaseThatNamesAnother(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.put(t, "one", "digest", square)
	head := d.replica(t, "head")
	handlers := head.Handlers()
	measure := handlers[designchecks.Measure]
	handlers[designchecks.Measure] = func(ctx context.Context, c contract.Command) error {
		id := designchecks.ID("digest", "", 1, 1.6)
		_, err := aggregate.At[designchecks.DesignCheck](d, contract.DesignCheckAggregate, id).Execute(ctx, c, d.Now(),
			func(now aggregate.Snapshot[designchecks.DesignCheck]) (*aggregate.Change[designchecks.DesignCheck], error) {
				now.State.Status, now.State.EndedAt = designchecks.Pass, d.Now()
				return &aggregate.Change[designchecks.DesignCheck]{Event: designchecks.EventChecked, State: now.State}, nil
			})
		return err
	}
	d.Handle(handlers)
	d.ask(t, usual("one"))
	handlers[designchecks.Measure] = measure
	d.Handle(handlers)
	if got := d.checkOf(t, d.ask(t, usual("one"))); got.Attempt != 2 || got.Versions != "head" {
		t.Errorf("asked again: attempt %d by %q, want 2 by this version", got.Attempt, got.Versions)
	}
}

// A check that runs is not begun anew by each version that is asked for it: while two are
// deployed side by side none would end.
func TestRunningChecksAreLeftToEnd(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.put(t, "one", "digest", square)
	before, after := d.replica(t, "before"), d.replica(t, "after")
	handlers := before.Handlers()
	var late []contract.Command
	handlers[designchecks.Measure] = func(_ context.Context, c contract.Command) error {
		late = append(late, c)
		return nil
	}
	d.Handle(handlers)
	d.ask(t, usual("one"))
	handlers[designchecks.Check] = after.Handlers()[designchecks.Check]
	d.Handle(handlers)
	if got := d.checkOf(t, d.ask(t, usual("one"))); got.Attempt != 1 || got.Status != designchecks.Running {
		t.Fatalf("asked of another version while it runs: attempt %d, %s; want 1, %s", got.Attempt, got.Status, designchecks.Running)
	}
	if err := before.Handlers()[designchecks.Measure](t.Context(), late[0]); err != nil {
		t.Fatal(err)
	}
	d.Run(d.Now().Add(time.Second))
	if got := d.checkOf(t, d.ask(t, usual("one"))); got.Attempt != 2 {
		t.Errorf("asked of another version after it ended: attempt %d by %q, want 2", got.Attempt, got.Versions)
	}
}
