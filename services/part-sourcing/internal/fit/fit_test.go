package fit_test

import (
	"testing"

	"boardorder/services/part-sourcing/internal/cost"
	"boardorder/services/part-sourcing/internal/design"
	"boardorder/services/part-sourcing/internal/fit"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/verdict"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		footprint, pack string
		pads            int
		pitch           int64
		life            string
		verdict, level  string
	}{
		"it fits":                {"SOIC-8_3.9x4.9mm_P1.27mm", "8-SOIC", 8, 1_270_000, "active", "ok", "note"},
		"too few pads":           {"SOIC-8_3.9x4.9mm_P1.27mm", "16-SOIC", 8, 1_270_000, "active", "check", "must_fix"},
		"an exposed pad":         {"QFN-32-1EP_5x5mm_P0.5mm", "QFN-32", 33, 500_000, "active", "ok", "note"},
		"a tab like a lead":      {"SOT-223-3_TabPin2", "SOT-223-4", 3, 0, "active", "ok", "note"},
		"a lead too few":         {"SOT-223-3_TabPin2", "SOT-223-4", 2, 0, "active", "check", "must_fix"},
		"no tab":                 {"SOT-23-6", "SOT-23-6", 5, 0, "active", "check", "must_fix"},
		"many pads too many":     {"SOIC-16", "SOIC-16", 24, 1_270_000, "active", "check", "warning"},
		"another case":           {"QFN-32_5x5mm", "SOIC-8", 0, 0, "active", "check", "must_fix"},
		"another pitch":          {"QFN-32-1EP_5x5mm_P0.4mm", "QFN-32 (5x5mm) P0.5mm", 33, 400_000, "active", "check", "warning"},
		"another body":           {"QFN-32_4x4mm", "QFN-32 5x5mm", 32, 0, "active", "check", "warning"},
		"no longer made":         {"SOIC-8", "SOIC-8", 8, 1_270_000, "obsolete", "check", "warning"},
		"not for new designs":    {"SOIC-8", "SOIC-8", 8, 1_270_000, "nrnd", "ok", "note"},
		"names that say nothing": {"Connector", "custom", 0, 0, "active", "unknown", "note"},
	} {
		stock := int64(1000)
		p := verdict.Part{Reference: "U1", Lifecycle: tt.life, Bought: 10, Stock: &stock, Verdict: verdict.OK,
			Choice: cost.Choice{Purchase: cost.Purchase{Offer: part.Offer{MPN: "X1", Package: tt.pack}}}}
		got := fit.Examine(verdict.Line{Footprint: tt.footprint, Need: 10}, p, design.Fit{Pins: tt.pads, Pitch: tt.pitch})
		if got.Verdict != tt.verdict || got.Level != tt.level || tt.verdict != "ok" && len(got.What) == 0 {
			t.Errorf("%s: %+v; want %s, %s", name, got, tt.verdict, tt.level)
		}
	}
}

// TestSupply: what cannot be bought, and what a later build may not find.
func TestSupply(t *testing.T) {
	t.Parallel()
	stock := int64(25)
	scarce := fit.Examine(verdict.Line{Footprint: "SOIC-8", Need: 10}, verdict.Part{Bought: 10, Stock: &stock, Choice: cost.Choice{Purchase: cost.Purchase{Offer: part.Offer{Package: "SOIC-8"}}}}, design.Fit{Pins: 8})
	if scarce.Verdict != "ok" || len(scarce.What) != 1 {
		t.Errorf("10 needed, 25 in stock: %+v, want it ok with one remark", scarce)
	}
	gone := fit.Examine(verdict.Line{Footprint: "SOIC-8", Need: 10}, verdict.Part{Verdict: verdict.Problem, Why: "not found at the fabricator"}, design.Fit{Pins: 8})
	if gone.Level != "warning" || gone.Verdict != "check" {
		t.Errorf("a part that is not found: %+v, want a warning to check", gone)
	}
}
