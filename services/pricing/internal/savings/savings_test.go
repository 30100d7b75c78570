package savings_test

import (
	"encoding/json"
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/quotes"
	contract "boardorder/pkg/contract/savings"
	"boardorder/services/pricing/internal/options"
	"boardorder/services/pricing/internal/savings"
)

func factOf[T any](v T) options.Fact[T] { return options.Fact[T]{Value: v, Known: true} }

// aBoard is one of two layers with gold in blue, which the request chose, as changed.
func aBoard(change func(*savings.Board)) savings.Board {
	b := savings.Board{
		Request: quotes.Request{Quantity: 10, FabOptions: map[string]any{}},
		Details: quotes.BoardDetails{
			Layers: 2, WidthMM: 50, HeightMM: 40, ThicknessMM: 1.6, CopperOz: 1, SurfaceFinish: "enig", SolderMask: "Blue", Material: "FR-4", ViaProcess: "tented", FabOptions: map[string]any{},
		},
		From:  map[string]string{"surface_finish": "request", "solder_mask": "request"},
		Facts: options.FileFacts{MinSpaceMM: factOf(0.25), WidthMM: factOf(50.0), HeightMM: factOf(40.0)},
	}
	if change != nil {
		change(&b)
	}
	return b
}

func kinds(t *testing.T, b savings.Board) []contract.Kind {
	t.Helper()
	c, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	var out []contract.Kind
	for _, change := range savings.Changes(c, b, contract.MaxPrices-1) {
		if change.Means == "" || len(change.Changes) == 0 || (change.Body == nil) != (len(change.Facts) > 0) {
			t.Errorf("%s changes %v, sends %v, facts %v and means %q; want words, and either a body or facts", change.Kind, change.Changes, change.Body, change.Facts, change.Means)
		}
		out = append(out, change.Kind)
	}
	return slices.Compact(out)
}

// TestNoSolderWhereGoldIsNeeded: lead-free HASL is offered where nothing speaks against it,
// and never in doubt.
func TestNoSolderWhereGoldIsNeeded(t *testing.T) {
	t.Parallel()
	option := func(key string, value any) func(*savings.Board) {
		return func(b *savings.Board) { b.Details.FabOptions[key] = value }
	}
	process := func(p pcb.Process) func(*savings.Board) {
		return func(b *savings.Board) { b.Facts.Processes = []options.NeededProcess{{Name: p, Needed: factOf(true)}} }
	}
	for name, tt := range map[string]struct {
		change func(*savings.Board)
		want   bool
	}{
		"plain":                          {nil, true},
		"wide copper, looked at":         {func(b *savings.Board) { b.Facts.MinSpaceMM, b.Inspected = options.Fact[float64]{}, true }, true},
		"copper that was not looked at":  {func(b *savings.Board) { b.Facts.MinSpaceMM = options.Fact[float64]{} }, false},
		"fine pitch":                     {func(b *savings.Board) { b.Facts.MinSpaceMM = factOf(0.15) }, false},
		"pads of pins 0.4 mm apart":      {func(b *savings.Board) { b.Facts.MinSpaceMM = factOf(0.2) }, false},
		"parts with balls":               {func(b *savings.Board) { b.FineParts = true }, false},
		"copper that is not known":       {func(b *savings.Board) { b.Facts.CopperUnknown = factOf(true) }, false},
		"gold fingers of the request":    {option("gold_fingers", "plain"), false},
		"gold fingers that are declined": {option("gold_fingers", "none"), true},
		"gold fingers of the files":      {func(b *savings.Board) { b.Facts.GoldFingers = factOf(true) }, false},
		"half holes":                     {option("castellated_sides", 2), false},
		"half holes that are drawn": {func(b *savings.Board) {
			b.Facts.Castellations = options.Fact[bool]{Value: true, Known: true, Doubtful: true}
		}, false},
		"plated edges":                 {option("edge_plating", true), false},
		"press-fit holes":              {option("press_fit_holes", true), false},
		"press-fit holes of the files": {process(pcb.PressFitting), false},
		"a second finish":              {process(pcb.SelectiveFinish), false},
		"filled vias":                  {func(b *savings.Board) { b.Details.ViaProcess = "epoxy_filled_capped" }, false},
		"a thin board":                 {func(b *savings.Board) { b.Details.ThicknessMM = 0.6 }, false},
		"a laminate without HASL":      {func(b *savings.Board) { b.Details.Material = "Rogers 4350B" }, false},
		"solder already":               {func(b *savings.Board) { b.Details.SurfaceFinish = "hasl_lead_free" }, false},
		"leaded solder":                {func(b *savings.Board) { b.Details.SurfaceFinish = "hasl" }, false},
	} {
		if got := slices.Contains(kinds(t, aBoard(tt.change)), contract.SurfaceFinish); got != tt.want {
			t.Errorf("%s: HASL is offered %t, want %t", name, got, tt.want)
		}
	}
}

// TestChanges: which changes are worth a price. None touches what a circuit depends on.
func TestChanges(t *testing.T) {
	t.Parallel()
	hours, inner := 24, 2.0
	for name, tt := range map[string]struct {
		change func(*savings.Board)
		want   []contract.Kind
	}{
		"gold and blue":           {nil, []contract.Kind{contract.SurfaceFinish, contract.SolderMask, contract.Quantity}},
		"a faster build":          {func(b *savings.Board) { b.Request.BuildTimeHours = &hours }, []contract.Kind{contract.BuildTime, contract.SurfaceFinish, contract.SolderMask, contract.Quantity}},
		"nothing special":         {usual, []contract.Kind{contract.Quantity}},
		"the usual gold":          {func(b *savings.Board) { b.Request.FabOptions["gold_thickness_uin"] = "1" }, []contract.Kind{contract.SurfaceFinish, contract.SolderMask, contract.Quantity}},
		"thick gold":              {func(b *savings.Board) { b.Request.FabOptions["gold_thickness_uin"] = "2" }, []contract.Kind{contract.SurfaceFinish, contract.GoldThickness, contract.SolderMask, contract.Quantity}},
		"a white core":            {func(b *savings.Board) { usual(b); b.Details.Material, b.Details.SolderMask = "Aluminum", "White" }, []contract.Kind{contract.Quantity}},
		"a laminate by request":   {laminate("request"), []contract.Kind{contract.Material, contract.Quantity}},
		"a laminate by the files": {laminate("file:notes.txt"), []contract.Kind{contract.Quantity}},
		"... with heavy copper":   {func(b *savings.Board) { laminate("request")(b); b.Details.InnerCopperOz = &inner }, []contract.Kind{contract.Quantity}},
		"... with impedance":      {func(b *savings.Board) { laminate("request")(b); b.Details.ImpedanceControlled = true }, []contract.Kind{contract.Quantity}},
		"a report and no number": {func(b *savings.Board) {
			usual(b)
			b.Request.FabOptions = map[string]any{"inspection_report": "rohs", "order_mark": "none"}
		}, []contract.Kind{contract.Quantity, contract.FabOption}},
		"a test that stays": {func(b *savings.Board) {
			usual(b)
			b.Request.FabOptions = map[string]any{"kelvin_test": true, "electrical_test": "fixture"}
		}, []contract.Kind{contract.Quantity}},
		"a little too wide": {func(b *savings.Board) { usual(b); b.Details.WidthMM = 101 }, []contract.Kind{contract.Quantity, contract.BoardSize}},
		"... in a panel":    {func(b *savings.Board) { usual(b); b.Details.WidthMM, b.Facts.Panel = 101, factOf(true) }, []contract.Kind{contract.Quantity}},
		"much too wide":     {func(b *savings.Board) { usual(b); b.Details.WidthMM = 130 }, []contract.Kind{contract.Quantity}},
		"small holes":       {func(b *savings.Board) { usual(b); b.Facts.MinHoleMM = factOf(0.15) }, []contract.Kind{contract.Quantity, contract.DrillSize}},
		"small holes that are due": {func(b *savings.Board) {
			usual(b)
			b.Facts.MinHoleMM, b.Details.FabOptions["min_via"] = factOf(0.2), "0.2/0.4"
		}, []contract.Kind{contract.Quantity}},
		"the largest number": {func(b *savings.Board) { usual(b); b.Request.Quantity = 100_000 }, nil},
	} {
		if got := kinds(t, aBoard(tt.change)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func usual(b *savings.Board) {
	b.Details.SurfaceFinish, b.Details.SolderMask = "hasl_lead_free", "Green"
}

func laminate(from string) func(*savings.Board) {
	return func(b *savings.Board) {
		usual(b)
		b.Details.Material, b.From["material"] = "FR-4 / TG170", from
	}
}

// TestBodySaysTheRequest: what is sent makes the request that is priced, whatever else the
// request holds, and the request that was given stays as it is.
func TestBodySaysTheRequest(t *testing.T) {
	t.Parallel()
	c, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	hours := 24
	b := aBoard(func(b *savings.Board) {
		b.Request.BuildTimeHours = &hours
		b.Request.FabOptions = map[string]any{"gold_thickness_uin": "3", "order_mark": "none", "paper_between_boards": true}
	})
	before := text(t, b.Request)
	n := 0
	for _, change := range savings.Changes(c, b, 100) {
		if change.Body == nil {
			continue
		}
		n++
		sent := map[string]any{}
		if err := json.Unmarshal([]byte(before), &sent); err != nil {
			t.Fatal(err)
		}
		for field, value := range change.Body {
			sent[field] = value
		}
		var got quotes.Request
		if err := json.Unmarshal([]byte(text(t, sent)), &got); err != nil || text(t, got) != text(t, change.Request) {
			t.Errorf("%s sends %v, which makes %s, %v; priced is %s", change.Kind, change.Body, text(t, got), err, text(t, change.Request))
		}
	}
	if n < 6 || text(t, b.Request) != before {
		t.Errorf("%d changes of requests, want 6 at least; the request is %s, was %s", n, text(t, b.Request), before)
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
