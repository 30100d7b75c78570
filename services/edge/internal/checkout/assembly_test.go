package checkout

import (
	"fmt"
	"testing"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/language"

	"github.com/google/go-cmp/cmp"
)

// TestPartGroups: every line of an assembly stands in one group, by what becomes
// of it and who said so.
func TestPartGroups(t *testing.T) {
	t.Parallel()
	part := func(ref string, change func(*assemblies.Part)) assemblies.Part {
		p := assemblies.Part{Fitting: assemblies.Fitted, Found: partchecks.Found{Reference: ref, Part: ref + " named", MPN: ref + "-1", Bought: 10, Supplier: "shop"}}
		if change != nil {
			change(&p)
		}
		return p
	}
	q := quotes.Quote{Reply: quotes.Reply{Parts: []assemblies.Part{
		part("R1,R2", nil),
		part("R3", func(p *assemblies.Part) { p.Replaces, p.Approved = "old", true }),
		part("R4", func(p *assemblies.Part) { p.Replaces = "old" }),
		part("R5", func(p *assemblies.Part) { p.Picked = true }),
		part("R6", func(p *assemblies.Part) { p.Fitting, p.Bought = assemblies.CustomerSupplied, 0 }),
		part("R7", func(p *assemblies.Part) { p.Fitting, p.Bought = assemblies.LeftOff, 0 }),
		part("R8", func(p *assemblies.Part) { p.Bought, p.Why = 0, "not found" }),
		part("R9", func(p *assemblies.Part) { p.Misfit, p.Verdict, p.Why = true, "check", "another package" }),
	}, UnlistedRefs: []string{"R20", "TP3"}}}
	var got []string
	for _, g := range partGroups(language.Find("en"), q) {
		for _, p := range g.Parts {
			got = append(got, fmt.Sprintf("%s: %s %s (%s)", g.Title, p.Refs, p.Part, p.Detail))
		}
	}
	want := []string{
		"Without a price yet: R8 R8-1 (not found)", "Without a price yet: R9 R9-1 (from shop · another package)",
		"Replaced, as you approved: R3 R3-1 (in place of old · from shop)", "Replaced by parts that are no worse: R4 R4-1 (in place of old · from shop)",
		"Chosen by our team or by value and footprint: R5 R5-1 (from shop)", "You send these: R6 R6-1 ()", "Left off: R7 R7-1 ()",
		"Bought as your list says: R1, R2 R1,R2-1 (from shop)", "On your board, but not on your list: R20, TP3  ()",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the page of an assembly (-want +got):\n%s", d)
	}
}
