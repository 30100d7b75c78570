package simulation

import (
	"context"

	"boardorder/pkg/contract"
	partsourcing "boardorder/services/part-sourcing"
)

// An assembler stands for what reads parts of boards and asks suppliers: a number
// of boards that seven divides has no list, one that three divides a part that
// nobody sells.
type assembler struct{ *world }

// Begin implements [partsourcing.Assembler].
func (a assembler) Begin(ctx context.Context, _ string, data contract.AssembleData, _ int) (w partsourcing.Assembling, err error) {
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
	data contract.AssembleData
}

// Plan implements [partsourcing.Assembling].
func (a assembling) Plan() contract.AssemblyPlan {
	return contract.AssemblyPlan{Files: []string{"bom.csv", "pos.csv"}, Top: 2}
}

// Fab implements [partsourcing.Assembling].
func (a assembling) Fab(ctx context.Context) contract.PartReport {
	return a.lookUp(ctx, partsourcing.List{}, false)
}

// Finish implements [partsourcing.Assembling].
func (a assembling) Finish(ctx context.Context) (contract.AssemblyPlan, contract.PartReport, contract.AssemblyPrice, error) {
	r := a.lookUp(ctx, partsourcing.List{}, true)
	price := contract.AssemblyPrice{Service: "economic", Work: []contract.Line{{Label: "Assembly setup", Cents: 812}}, WorkCents: 812, Days: 2, At: a.Now()}
	for _, p := range r.Parts {
		one := contract.AssemblyPart{PartFound: p, Fitting: contract.Fitted, CostCents: 150, Picked: p.Reference == "J1"}
		if one.Verdict, one.Bought = "ok", int64(a.data.Boards); one.Reference == "U1" && a.data.Boards%3 == 0 {
			one.Verdict, one.Bought, one.CostCents, one.Why, one.Searched = "problem", 0, 0, "not found at fab", []string{"fab"}
		}
		price.Parts, price.PartsCents = append(price.Parts, one), price.PartsCents+one.CostCents
	}
	return a.Plan(), r, price, ctx.Err()
}
