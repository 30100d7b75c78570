package sourcing_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/assemblyprice"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/sourcing"
	"boardorder/services/part-sourcing/internal/supplierstest"
	"boardorder/services/part-sourcing/internal/verdict"
)

// TestPartOnManyLines: a part costs the same, and takes one feeder, whether a list
// has one line for it or one for each place; and stock is not sold twice.
func TestPartOnManyLines(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{Index: true})
	s, r := sourcer(t, w), rates(t)
	build := func(boards int64, rows ...string) (sourcing.Report, assemblyprice.Price) {
		list, err := bom.Read("bom.csv", []byte("Designator;Value;Footprint;MPN\n"+strings.Join(rows, "\n")))
		if err != nil {
			t.Fatal(err)
		}
		plan := assembly.Match(list, nil, assembly.Choices{})
		lines, at := sourcing.Lines(plan.Lines, boards, &r, nil)
		report := s.Complete(t.Context(), sourcing.Request{Boards: boards, Lines: lines})
		for k, p := range report.Parts {
			if p.Bought > 0 && p.Bought < lines[k].Need || lines[k].Need < lines[k].PerBoard*boards {
				t.Errorf("%d needed of %+v, want %d at least, and as many bought or none", lines[k].Need, p, lines[k].PerBoard*boards)
			}
		}
		return report, r.Assemble(assemblyprice.Job{Boards: boards, Uses: sourcing.Uses(plan.Lines, report.Parts, at, nil)})
	}
	for name, row := range map[string]string{"a number": "%s;;;CL05B104KO5NNNC", "a value": "%s;10k;0603;", "an active part": "%s;;SOIC-8;LM358DR"} {
		var refs, rows []string
		for i := range 50 {
			ref := fmt.Sprint("R", i+1)
			refs, rows = append(refs, ref), append(rows, fmt.Sprintf(row, ref))
		}
		for _, boards := range []int64{1, 10, 77} {
			one, workOne := build(boards, fmt.Sprintf(row, strings.Join(refs, ",")))
			many, workMany := build(boards, rows...)
			if one.Summary.PartsCents == 0 || many.Summary.PartsCents != one.Summary.PartsCents || workMany.Cents != workOne.Cents {
				t.Errorf("%s, %d boards: on one line parts %d and work %d cents, on 50 lines %d and %d; want the same", name, boards, one.Summary.PartsCents, workOne.Cents, many.Summary.PartsCents, workMany.Cents)
			}
		}
	}
	if p, _ := build(1000, "U1;;SOIC-8;LM358DR"); p.Parts[0].Verdict != verdict.OK {
		t.Fatalf("LM358DR for 1000 boards: %+v, want %v", p.Parts[0], verdict.OK)
	}
	rows := make([]string, 40)
	for i := range rows {
		rows[i] = fmt.Sprintf("U%d;;SOIC-8;LM358DR", i+1)
	}
	report, _ := build(1000, rows...)
	if n := report.Summary.Lines[verdict.Problem]; n != len(rows) || !strings.Contains(report.Parts[0].Why, "40200 are needed") {
		t.Errorf("stock is sold twice: %d of %d lines cannot be bought, want all, as 40200 are needed: %s", n, len(rows), report.Parts[0].Why)
	}
	named, _ := build(1, "U1;;SOIC-8;LM358DR")
	stock := *named.Parts[0].Stock
	report, _ = build(stock/2-200, "U1;;SOIC-8;LM358DR", "U2,U3;LM358DR;SOIC-8;")
	if a, b := report.Parts[0], report.Parts[1]; a.Bought == 0 || b.Bought > 0 && b.SKU == a.SKU && a.Bought+b.Bought > stock {
		t.Errorf("of %d in stock %d and %d are sold of %s and %s: %s; want some, and no more than there are", stock, a.Bought, b.Bought, a.SKU, b.SKU, b.Why)
	}
}
