package simulation

import (
	"context"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	partsourcing "boardorder/services/part-sourcing"
)

// An assembler stands for what reads parts of boards and asks suppliers: a number
// of boards that seven divides has no list, one that three divides a part that
// nobody sells.
type assembler struct{ *world }

// Begin implements [partsourcing.Assembler].
func (a assembler) Begin(ctx context.Context, _ string, data assemblies.AssembleData, _ int) (w partsourcing.Assembling, err error) {
	_ = a.Effect(ctx, "read parts", func() error {
		if data.Boards%7 == 0 {
			err = contract.Refuse(contract.NeedsPartNumbers, "The upload holds no bill of materials for this board.")
		}
		return nil
	})
	return assembling{a.world, data}, err
}

// Forget implements [partsourcing.Assembler].
func (a assembler) Forget(context.Context, []string) error { return nil }

type assembling struct {
	*world
	data assemblies.AssembleData
}

// Plan implements [partsourcing.Assembling].
func (a assembling) Plan() assemblies.Plan {
	return assemblies.Plan{Files: []string{"bom.csv", "pos.csv"}, Top: 2}
}

// Fab implements [partsourcing.Assembling].
func (a assembling) Fab(ctx context.Context) partchecks.Report {
	return a.lookUp(ctx, partsourcing.List{}, false)
}

// Finish implements [partsourcing.Assembling].
func (a assembling) Finish(ctx context.Context) (assemblies.Plan, partchecks.Report, assemblies.Price, error) {
	r := a.lookUp(ctx, partsourcing.List{}, true)
	price := assemblies.Price{Service: "economic", Work: []prices.Line{{Label: "Assembly setup", Cents: 812}}, WorkCents: 812, Days: 2, At: a.Now()}
	for _, p := range r.Parts {
		one := assemblies.Part{Found: p, Fitting: assemblies.Fitted, CostCents: 150, Picked: p.Reference == "J1"}
		if one.Verdict, one.Bought = "ok", int64(a.data.Boards); one.Reference == "U1" && a.data.Boards%3 == 0 {
			one.Verdict, one.Bought, one.CostCents, one.Why, one.Searched = "problem", 0, 0, "not found at fab", []string{"fab"}
			one.Alternatives = []partchecks.Alternative{{
				MPN: "NE555DR", Manufacturer: "Texas Instruments", Source: "fab", Supplier: "the fabricator", SKU: "C7593", Stock: 9000, CostUSD: "3.10", Score: 57,
				Reasons: []partchecks.AlternativeReason{{Property: "named_by", Is: "unknown", Named: "NE555", Offered: "named by a supplier in its place: compare the data sheets"}, {Property: "stock", Is: "better", Named: "0", Offered: "9000"}},
			}}
		}
		if one.Reference != "U1" { // which is bought by its value
			one.MPN = "part of " + one.Reference
		}
		price.Parts, price.PartsCents = append(price.Parts, one), price.PartsCents+one.CostCents
	}
	return a.Plan(), r, price, ctx.Err()
}
