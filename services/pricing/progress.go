package pricing

import (
	"context"
	"fmt"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/contract/wording"
	"boardorder/pkg/trace"

	"go.uber.org/zap"
)

// A stage is how far a request is, and what its client is told of that. Each is
// recorded once a command, under its name.
type stage struct{ name, words string }

// readingFiles is the stage of files that a worker reads, for what was asked.
func readingFiles(requested string, files []uploads.File) stage {
	var bytes int64
	for _, f := range files {
		bytes += f.Size
	}
	return stage{"waiting", fmt.Sprintf("%s The design files are being read and checked: %s, %s.", requested, wording.Count(len(files), "file"), size(bytes))}
}

func size(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d kB", max((bytes+512)>>10, 1))
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/(1<<20))
}

// sourcing is the stage of an assembly that is being worked out.
func sourcing(r quotes.Request, a assemblies.Assembly) stage {
	switch {
	case a.Plan == nil || a.Status != partchecks.Running:
		return stage{"parts", r.Describe() + " The design files are read; the bill of materials and the placements are being read."}
	case a.Report == nil:
		return stage{"suppliers", fmt.Sprintf("%s The bill of materials is read: %s to place on each. The fabricator's library is being asked for them.",
			r.Describe(), wording.Count(a.Plan.Top+a.Plan.Bottom, "part"))}
	}
	open, all := a.Report.Summary.Lines["checking"], len(a.Report.Parts)
	return stage{"distributors", fmt.Sprintf("%s The fabricator's library has answered: of %s to buy, %d are settled. Distributors are being asked for the rest.",
		r.Describe(), wording.Count(all, "line"), all-open)}
}

// stagePricing is the stage of a price that the fabricator has not given yet.
func stagePricing(r quotes.Request) stage {
	known := "The design files are read and checked"
	if r.Assembly {
		known += ", and suppliers have answered about the parts"
	}
	return stage{"price", fmt.Sprintf("%s %s. The fabricator is being asked for the price.", r.Describe(), known)}
}

// stageTest is the stage of a test that asks to wait.
func stageTest(r quotes.Request) stage {
	return stage{"slow", fmt.Sprintf("%s The price takes %d seconds, as the test scenario asks.", r.Describe(), int(slowFor/time.Second))}
}

// record writes down how far a request is, for the client that waits.
func (s *Service) record(ctx context.Context, c contract.Command, at stage) error {
	_, err := aggregate.At[quotes.Wait](s.events, contract.QuoteRequestAggregate, c.Request).Step(ctx, c, at.name, s.now(),
		func(aggregate.Snapshot[quotes.Wait]) (*aggregate.Change[quotes.Wait], error) {
			return &aggregate.Change[quotes.Wait]{Event: quotes.EventWaiting, State: quotes.Wait{
				Request: c.Request, Account: c.Account, Since: s.now(), Progress: at.words,
			}}, nil
		})
	return err
}

// reportProgress does work, and records the stage where that takes long: most is over
// before a client could ask.
func (s *Service) reportProgress(ctx context.Context, c contract.Command, at stage, work func() error) error {
	if s.cfg.ProgressAfter <= 0 {
		return work()
	}
	reported := make(chan struct{})
	t := time.AfterFunc(s.cfg.ProgressAfter, func() {
		defer close(reported)
		if err := s.record(ctx, c, at); err != nil && ctx.Err() == nil {
			s.log.Warn("the progress of a quote request was not recorded", zap.String("request", c.Request), zap.Error(err), trace.ID(ctx))
		}
	})
	defer func() {
		if !t.Stop() {
			<-reported
		}
	}()
	return work()
}
