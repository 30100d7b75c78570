package designcheck

import (
	"context"
	"slices"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/trace"
	"boardorder/services/design-check/internal/fab"
	"boardorder/services/design-check/internal/report"

	"go.uber.org/zap"
)

// inspect holds a board against the primary fabricator's limits for what the
// files state, as soon as they are there: no quote is given without it. What
// prices depend on, the narrowest track, gap and ring, is put with the facts.
func (m *maker) inspect(ctx context.Context, b *pcb.Board) *dfm.Report {
	found, err := check.Inspect(ctx, b, m.fabs.Limits(b.Facts, fab.Build{}))
	if err != nil {
		m.log.Warn("a board was not inspected to the end", zap.Error(err), trace.ID(ctx))
	}
	for _, fault := range found.Faults {
		m.log.Error("a rule broke down", zap.Error(fault), trace.ID(ctx))
	}
	return found
}

// netFaults are said place by place: a client goes through all of them.
var netFaults = []dfm.Name{dfm.Short, dfm.Open, dfm.Unrouted}

// maxFound bounds what is kept of one board's findings, worst first.
const maxFound = 200

// findings are those of the inspection, and what the readers said of the board beside
// them, worst first. measured has for each what was measured, with the places that it is
// about; what was not measured has none.
func findings(found *dfm.Report, b *pcb.Board) (out []contract.Finding, measured []dfm.Finding) {
	var nets, rest []designchecks.Finding
	sources := map[[2]string]dfm.Finding{}
	for _, f := range found.Findings {
		if f.Level != dfm.MustFix || !slices.Contains(netFaults, f.Check) {
			one := report.Finding(f)
			rest, sources[[2]string{one.Check, one.What}] = append(rest, one), f
			continue
		}
		for i, one := range listPlaces(f) {
			source := f
			if len(f.Places) > 1 && i < min(len(f.Places), maxJoined) {
				source.Places = f.Places[i : i+1]
			}
			nets, sources[[2]string{one.Check, one.What}] = append(nets, designchecks.Finding{Finding: one}), source
		}
	}
	all := report.DropImplied(report.Join(nets, rest, report.BoardFindings(b, rest)))
	all = all[:min(len(all), maxFound)]
	out, measured = make([]contract.Finding, len(all)), make([]dfm.Finding, len(all))
	for i, f := range all {
		out[i], measured[i] = f.Finding, sources[[2]string{f.Check, f.What}]
	}
	return out, measured
}

// measures are the worst values that a fabricator's limits are about. What it
// builds all the same is left out, and what may not be the board's.
func measures(found *dfm.Report) []boards.Measure {
	var out []boards.Measure
	for _, m := range found.Measures {
		if !m.Mild && m.Doubt == "" {
			out = append(out, boards.Measure{Check: string(m.Check), Inner: m.Inner, Value: m.Place.Value, Layer: m.Place.Layer})
		}
	}
	return out
}
