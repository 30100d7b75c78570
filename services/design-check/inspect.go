package designcheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/board"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/contract"
	"boardorder/services/design-check/internal/fab"
	"boardorder/services/design-check/internal/overlay"
	"boardorder/services/design-check/internal/report"

	"go.uber.org/zap"
)

// inspect holds a board against the primary fabricator's limits for what the
// files state, as soon as they are there: no quote is given without it. What
// prices depend on, the narrowest track, gap and ring, is put with the facts.
func (m *maker) inspect(ctx context.Context, b *board.Board) *dfm.Report {
	o := dfm.Options{Limits: m.fabs.Limits(b.Facts, fab.Build{})}.WithSmallest()
	o.Only = nil
	found, err := check.Run(ctx, b, o)
	if err != nil {
		m.log.Warn("a board was not inspected to the end", zap.Error(err))
	}
	for _, fault := range found.Faults {
		m.log.Error("a rule broke down", zap.Error(fault))
	}
	found.Offer(&b.Facts)
	return found
}

// netFaults are said place by place: a client goes through all of them.
var netFaults = []dfm.Name{dfm.Short, dfm.Open, dfm.Unrouted}

// mostFound bounds what is kept of one board's findings, worst first.
const mostFound = 200

// findings are those of the inspection, what the readers said of the board
// beside them, and what drawing it came upon, worst first.
func findings(found *dfm.Report, b *board.Board, drawing []contract.Finding) []contract.Finding {
	var nets, rest []contract.CheckFinding
	for _, f := range found.Findings {
		if f.Level != dfm.MustFix || !slices.Contains(netFaults, f.Check) {
			rest = append(rest, report.Finding(f))
			continue
		}
		for _, one := range listed(f) {
			nets = append(nets, contract.CheckFinding{Finding: one})
		}
	}
	all := report.Said(report.Join(nets, rest, report.OfBoard(b, rest), wrapped(drawing)))
	out := make([]contract.Finding, 0, len(all))
	for _, f := range all[:min(len(all), mostFound)] {
		out = append(out, f.Finding)
	}
	return out
}

func wrapped(in []contract.Finding) []contract.CheckFinding {
	out := make([]contract.CheckFinding, len(in))
	for i, f := range in {
		out[i] = contract.CheckFinding{Finding: f}
	}
	return out
}

// measures are the worst values that a fabricator's limits are about. What it
// builds all the same is left out, and what may not be the board's.
func measures(found *dfm.Report) []contract.Measure {
	var out []contract.Measure
	for _, m := range found.Measures {
		if !m.Mild && m.Doubt == "" {
			out = append(out, contract.Measure{Check: string(m.Check), Inner: m.Inner, Value: m.Place.Value, Layer: m.Place.Layer})
		}
	}
	return out
}

// Pictures of what a customer has to look at before paying.
const (
	mostMarked  = 8
	markingTime = 2 * time.Second
)

// mark draws the places of the worst findings. A finding is as good without: what
// cannot be drawn is for our log.
func (m *maker) mark(ctx context.Context, prefix string, b *board.Board, found *dfm.Report, out []contract.Finding) {
	artist := overlay.New(b)
	ctx, cancel := context.WithTimeout(ctx, markingTime)
	defer cancel()
	drawn := 0
	for i := range out {
		j := slices.IndexFunc(found.Findings, func(f dfm.Finding) bool {
			return string(f.Check) == out[i].Check && (report.Words(f) == out[i].What || strings.HasPrefix(out[i].What, f.What))
		})
		if j < 0 || out[i].Level == "note" || drawn == mostMarked || ctx.Err() != nil {
			continue
		}
		name, err := m.marked(ctx, fmt.Sprintf("%s%d.png", prefix, i), artist, found.Findings[j])
		if err != nil && ctx.Err() == nil {
			m.log.Warn("a finding cannot be drawn", zap.Error(err))
		}
		if out[i].Image = name; name != "" {
			drawn++
		}
	}
}

// marked draws one finding; without a place there is no picture.
func (m *maker) marked(ctx context.Context, name string, artist *overlay.Artist, f dfm.Finding) (string, error) {
	f.Places = report.Located(f.Places)
	img, err := artist.Draw(ctx, f)
	if errors.Is(err, overlay.ErrNoPlace) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	data, err := overlay.PNG(img)
	if err != nil {
		return "", err
	}
	return name, m.put(name, pngType, written(data))
}
